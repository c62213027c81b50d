import { shortenName } from "../../../format/name.js";
import type { TableColumn } from "../../../ui/table/VirtualTable.js";
import type { OnIntent } from "../answer/intent.js";
import { baseNameOf, type ChartMeasure, labelOfCell } from "../answer/series.js";
import type { GroupTotal } from "../answer/totals.js";
import type { LineToggles } from "./SwatchButtons.js";

type Part = "value" | "share" | "compare" | "delta" | "delta_pct";

/** Which number of which measure a column shows. */
export interface MeasureColumn {
  readonly m: number;
  readonly part: Part;
}

export interface GroupColumnsInput {
  readonly totals: readonly GroupTotal[];
  readonly groupColumns: readonly string[];
  readonly measures: readonly ChartMeasure[];
  readonly compared: boolean;
  /** Numbers that add up have their share of the whole beside them. */
  readonly shares?: boolean;
  readonly sort: { readonly by: string; readonly desc: boolean };
  readonly onIntent: OnIntent;
  readonly names?: NameLength;
  readonly between?: readonly {
    readonly head: string;
    readonly track: string;
    readonly align: "left" | "right";
  }[];
  /** Lines can be hidden: their names share the room with buttons. */
  readonly toggles?: LineToggles;
}

/** Names that are whole sentences get more of the room; the rest is scrolled to. */
export type NameLength = "word" | "sentence";

export interface GroupTableColumns {
  readonly columns: readonly TableColumn[];
  /** null: the column contains names. */
  readonly measureAt: (column: number) => MeasureColumn | null;
}

const comparedParts: readonly Part[] = ["value", "compare", "delta", "delta_pct"];
const partHeads = { delta: "Δ", delta_pct: "Δ %", share: "of all" } as const;

/** Names first, then each measure: what it is, and with a comparison what it was and how it changed. */
export function groupTableColumns(input: GroupColumnsInput): GroupTableColumns {
  const parts = input.compared ? comparedParts : comparedParts.slice(0, 1);
  const numbers = input.measures.flatMap(({ additive }, m) =>
    parts.flatMap((part): MeasureColumn[] =>
      part === "value" && additive && input.shares === true
        ? [
            { m, part },
            { m, part: "share" },
          ]
        : [{ m, part }],
    ),
  );
  const own = (input.between ?? []).map((column) => ({ key: `own ${column.head}`, ...column }));
  const names = [...nameColumns(input), ...own];
  return {
    columns: [...names, ...numbers.map((at) => numberColumn(input, at))],
    measureAt: (column) => numbers[column - names.length] ?? null,
  };
}

function nameColumns(input: GroupColumnsInput): TableColumn[] {
  if (input.groupColumns.length === 0) {
    return [{ key: "all", head: "", track: "minmax(120px, 1fr)", align: "left" }];
  }
  return input.groupColumns.map((column, index) => ({
    key: `group ${column}`,
    head: shortenName(column, 32),
    title: column,
    track: `minmax(${roomForNames(input, index)}, 1fr)`,
    align: "left",
    sort: sortOf(input, column, "ascending"),
  }));
}

const namesLookedAt = 1_000;
/** Of a letter of the table's font, on average, in pixels; the head's font is smaller than the rows'. */
const letterWidth = 8;
const togglesPx = 28;

/** Room for the longest name, up to a share of the screen: most names need no cut. */
function roomForNames({ totals, names, toggles }: GroupColumnsInput, column: number): string {
  const lengths = totals.slice(0, namesLookedAt).map(({ group }) => {
    const cell = group[column];
    return cell === undefined ? 0 : labelOfCell(cell).length;
  });
  const buttons = toggles !== undefined && column === 0 ? togglesPx : 0;
  const width = 34 + buttons + letterWidth * Math.max(0, ...lengths);
  const least = `${112 + buttons}px`;
  const most = names === "sentence" ? "min(360px, 60vw)" : "min(240px, 18vw)";
  return `clamp(${least}, ${width}px, max(${least}, ${most}))`;
}

function numberColumn(input: GroupColumnsInput, { m, part }: MeasureColumn): TableColumn {
  const measure = input.measures[m];
  const label = measure?.label ?? "";
  const own = measure?.name ?? "";
  // Groups have the same order by their shares as by their numbers.
  const sorts = part === "value" || part === "share" ? own : `${own}.${part}`;
  const sort = sortOf(input, sorts, "descending");
  const head =
    part === "value" ? label : part === "compare" ? baseNameOf(measure) : partHeads[part];
  return {
    key: part === "value" ? own : `${own}.${part}`,
    head: shortenName(head, 30),
    title: part === "value" ? label : `${label}: ${head}`,
    track: part === "value" ? "minmax(112px, 0.5fr)" : measure?.measure.per ? "124px" : "96px",
    align: "right",
    sort: { ...sort, state: part === "share" ? "none" : sort.state },
  };
}

type Direction = "ascending" | "descending";

/** `first`: the direction of the first click. */
function sortOf({ sort, onIntent }: GroupColumnsInput, by: string, first: Direction) {
  const direction: Direction = sort.desc ? "descending" : "ascending";
  const mine = sort.by === by;
  return {
    state: mine ? direction : ("none" as const),
    onSort: () => onIntent({ kind: "sort", by, desc: mine ? !sort.desc : first === "descending" }),
  };
}
