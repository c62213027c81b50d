import { formatError, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { asNumber, type ChartInput, labelOfCell } from "../answer/series.js";
import { differenceOf, type GroupTotal, sidesOf } from "../answer/totals.js";
import { groupTableColumns, type MeasureColumn } from "../groups/groupTableColumns.js";
import { boundOf, numberText } from "../groups/numberText.js";
import type { ChartTheme } from "../paint/theme.js";
import { type PictureCell, type PictureTable, tableRowsMax } from "./pictureTable.js";

export interface GroupTableParts {
  readonly totals: readonly GroupTotal[];
  readonly input: Pick<ChartInput, "groupColumns" | "measures" | "compared">;
  readonly theme: ChartTheme;
  /** Empty: the groups have no colours. */
  readonly hues?: readonly number[];
  /** The totals of all rows. */
  readonly whole?: GroupTotal | null;
  readonly shares?: boolean;
  /** Cells between the names and the numbers. */
  readonly between?: readonly {
    readonly head: string;
    readonly align: "left" | "right";
    readonly cellOf: (total: GroupTotal, row: number) => PictureCell;
  }[];
}

const nameMax = 60;

/** Groups with their numbers, as in the legend and in the view of groups. */
export function groupTable(parts: GroupTableParts): PictureTable {
  const { totals, input, theme, hues = [], whole = null, shares = false, between = [] } = parts;
  const { groupColumns, measures, compared } = input;
  const { columns, measureAt } = groupTableColumns({
    ...{ totals, groupColumns, measures, compared, shares },
    between: between.map(({ head, align }) => ({ head, align, track: "" })),
    sort: { by: "", desc: true },
    onIntent: () => {},
  });
  const nameCount = Math.max(1, groupColumns.length);
  const largest = measures.map((_, m) =>
    totals.length === 1
      ? 0
      : totals.reduce((max, { values }) => Math.max(max, asNumber(values[m] ?? null) ?? 0), 0),
  );
  const cellsOf = (total: GroupTotal, row: number | null): PictureCell[] =>
    columns.map((_, column): PictureCell => {
      const at = measureAt(column);
      if (at !== null) return numberCell(parts, total, at, row === null ? 0 : (largest[at.m] ?? 0));
      const own = between[column - nameCount];
      if (own !== undefined) return row === null ? { text: "" } : own.cellOf(total, row);
      return { text: shortenName(nameAt(total, column, groupColumns.length), nameMax) };
    });
  const rows = totals.slice(0, tableRowsMax).map((total, row) => ({
    cells: cellsOf(total, row),
    ...(hues.length > 0 && { swatch: theme.series[hues[row] ?? 0] ?? theme.accent }),
  }));
  const foot = whole === null ? [] : [{ cells: cellsOf(whole, null), isTotal: true }];
  return {
    columns: columns.map(({ head, align }, column) => ({
      head: typeof head === "string" ? head : "",
      align: align ?? "left",
      grows: column < nameCount,
    })),
    rows: [...foot, ...rows],
    more: Math.max(0, totals.length - tableRowsMax),
  };
}

function nameAt({ group, label }: GroupTotal, column: number, columnCount: number): string {
  // A line that is no group of its own, such as the others, has its name alone.
  if (group.length === 0 || columnCount === 0) return column === 0 ? label : "";
  const cell = group[column];
  return cell === undefined ? "" : labelOfCell(cell);
}

function numberCell(
  { input: { measures }, theme, whole = null }: GroupTableParts,
  total: GroupTotal,
  at: MeasureColumn,
  largest: number,
): PictureCell {
  const { m, part } = at;
  const value = asNumber(total.values[m] ?? null);
  const text = numberText(total, at, { measures, form: "short", whole });
  if (part === "value") {
    const error = errorText(total, m, measures[m]?.measure ?? {});
    const fill = value !== null && value > 0 && largest > 0 ? value / largest : 0;
    return { text: error === "" ? text : `${text} ${error}`, fill };
  }
  if (part !== "delta" && part !== "delta_pct") return { text, color: theme.quiet };
  const { value: now, base } = sidesOf(total, m);
  const difference = asNumber(differenceOf(now, base)) ?? 0;
  const isSure = total.unsure[m] !== true && boundOf(total, at) === null && difference !== 0;
  return { text, color: isSure ? (difference > 0 ? theme.more : theme.less) : theme.quiet };
}

function errorText(
  total: GroupTotal,
  m: number,
  measure: Parameters<typeof formatErrorBar>[2],
): string {
  const [value, bar] = [asNumber(total.values[m] ?? null), total.intervals[m] ?? null];
  if (bar === null || value === null || value === 0) return "";
  const text = formatErrorBar(value, bar, measure);
  const share = Math.max(bar[1] - value, value - bar[0]) / Math.abs(value);
  return text.startsWith("about") ? text : formatError(share);
}
