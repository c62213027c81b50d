import type { Query, Result } from "@hadal/sdk";
import { differencesOf, isUnsure } from "../../kit/answer/difference.js";
import type { GroupCell } from "../../kit/answer/intent.js";
import { type Interval, intervalAt } from "../../kit/answer/interval.js";
import {
  asAmount,
  type ChartInput,
  groupOf,
  indexOfColumn,
  keyOfGroup,
  labelOfGroup,
} from "../../kit/answer/series.js";
import { binColumnOf, binOfKey } from "../../kit/cells/binColumn.js";
import { type BinScale, binCount } from "../../kit/cells/binScale.js";

/** More shapes over each other cannot be read. */
const shapesMax = 5;

/** The number of rows of one group in each bin. */
export interface Shape {
  readonly key: string;
  readonly group: readonly GroupCell[];
  readonly label: string;
  readonly amounts: readonly number[];
  /** Side B; null: no comparison. */
  readonly compare: readonly number[] | null;
  readonly errorBars: readonly (Interval | null)[];
  /** Bins whose difference may be chance. */
  readonly unclear: readonly boolean[];
}

export interface Distribution {
  readonly scale: BinScale;
  readonly bins: number;
  /** What the groups are of. */
  readonly groupColumns: readonly string[];
  /** Largest first. */
  readonly shapes: readonly Shape[];
  /** Groups that are not drawn. */
  readonly hidden: number;
  /** Rows without a number. */
  readonly missing: number;
}

/** How bins are drawn: as counted, as shares of their group, or added up from the lowest. */
export type ShapeKind = "count" | "share" | "cdf";

interface Draft {
  readonly group: readonly GroupCell[];
  readonly amounts: number[];
  readonly compare: number[];
  readonly errorBars: (Interval | null)[];
  readonly unclear: boolean[];
}

/** null: the answer is to another question. */
export function buildDistribution(input: ChartInput, query: Query): Distribution | null {
  const { result, compared } = input;
  const found = binColumnOf(query, result);
  if (found === null) return null;
  const { scale, index, name: binName } = found;
  const groupColumns = input.groupColumns.filter((name) => name !== binName);
  const bins = binCount(scale);
  const groupIndexes = groupColumns.map((name) => indexOfColumn(result, name));
  const [countIndex, compareIndex] = ["count", "count.compare"].map((name) =>
    indexOfColumn(result, name),
  );
  const drafts = new Map<string, Draft>();
  const differenceAt = differencesOf(result, "count");
  let missing = 0;
  result.rows.forEach((row, i) => {
    const bin = binOfKey(scale, asAmount(row[index]));
    const amount = Number(row[countIndex ?? -1] ?? 0);
    if (bin === null) {
      missing += amount;
      return;
    }
    const group = groupOf(row, groupColumns, groupIndexes, input.texts);
    const draft = draftOf(drafts, group, bins);
    draft.amounts[bin] = amount;
    draft.compare[bin] = Number(row[compareIndex ?? -1] ?? 0);
    draft.errorBars[bin] = intervalAt(result, "count", i);
    draft.unclear[bin] = compared && isUnsure(differenceAt(i));
  });
  const shapes = [...drafts].map(([key, draft]) => ({
    ...draft,
    key,
    label: labelOfGroup(draft.group),
    compare: compared ? draft.compare : null,
  }));
  shapes.sort((a, b) => totalOf(b.amounts) - totalOf(a.amounts));
  const hidden = Math.max(0, shapes.length - shapesMax);
  return { scale, bins, groupColumns, shapes: shapes.slice(0, shapesMax), hidden, missing };
}

/** What is drawn of a shape's bins. */
export function drawnOf(amounts: readonly number[], kind: ShapeKind): number[] {
  if (kind === "count") return [...amounts];
  const total = totalOf(amounts);
  const shares = amounts.map((amount) => (total === 0 ? 0 : amount / total));
  if (kind === "share") return shares;
  let sum = 0;
  return shares.map((share) => {
    sum += share;
    return Math.min(1, sum);
  });
}

export const totalOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** Marked percentiles of each group: name (`p95`) and value. */
export type Marks = ReadonlyMap<
  string,
  readonly { readonly name: string; readonly value: number | bigint }[]
>;

/** Percentiles of the groups, by the group's key. */
export function marksOf(marks: Result | undefined, groupColumns: readonly string[]): Marks {
  if (marks === undefined) return new Map();
  const groupIndexes = groupColumns.map((name) => indexOfColumn(marks, name));
  const columns = marks.columns.flatMap(({ name }, index) => {
    const match = /^(p[\d.]+)_/.exec(name);
    return match === null || /\.(compare|delta|delta_pct)$/.test(name)
      ? []
      : [{ name: match[1] ?? "", index }];
  });
  return new Map(
    marks.rows.map((row) => [
      keyOfGroup(groupOf(row, groupColumns, groupIndexes)),
      columns.flatMap(({ name, index }) => {
        const value = asAmount(row[index]);
        return value === null
          ? []
          : [{ name, value: typeof value === "bigint" ? value : Number(value) }];
      }),
    ]),
  );
}

function draftOf(drafts: Map<string, Draft>, group: readonly GroupCell[], bins: number): Draft {
  const key = keyOfGroup(group);
  const known = drafts.get(key);
  if (known !== undefined) return known;
  const made: Draft = {
    group,
    amounts: new Array<number>(bins).fill(0),
    compare: new Array<number>(bins).fill(0),
    errorBars: new Array<Interval | null>(bins).fill(null),
    unclear: new Array<boolean>(bins).fill(false),
  };
  drafts.set(key, made);
  return made;
}
