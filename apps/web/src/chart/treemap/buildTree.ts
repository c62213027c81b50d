import type { GroupCell } from "../intent.js";
import { holdsZero, type Interval, intervalAt, intervalOfSum } from "../interval.js";
import {
  asAmount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  groupOf,
  indexOfColumn,
  keyOfGroup,
  labelOfCell,
} from "../series.js";
import type { Whole } from "../whole.js";

/** An area, and the areas within it. */
export interface TreeNode {
  readonly key: string;
  readonly label: string;
  /** The values that it stands for, outermost first; empty for the rest. */
  readonly group: readonly GroupCell[];
  readonly now: number;
  readonly was: number;
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
  readonly children: readonly TreeNode[];
}

export interface Tree {
  readonly roots: readonly TreeNode[];
  readonly now: number;
  readonly was: number;
  /** Groups below 0 have no area. */
  readonly negativeCount: number;
}

/** One group of the answer, as far as areas need it. */
interface Leaf {
  readonly group: readonly GroupCell[];
  readonly now: number;
  readonly was: number;
  readonly deltaInterval: Interval | null;
}

/** Groups nested by their values, in the order of the answer; what it left out is one more area. */
export function buildTree(input: ChartInput, measure: ChartMeasure, whole: Whole | null): Tree {
  const { result, groupColumns } = input;
  const indexes = groupColumns.map((name) => indexOfColumn(result, name));
  const [nowIndex, wasIndex] = [measure.name, `${measure.name}.compare`].map((name) =>
    indexOfColumn(result, name),
  );
  const all = result.rows.map(
    (row, at): Leaf => ({
      group: groupOf(row, groupColumns, indexes, input.texts),
      now: asNumber(asAmount(row[nowIndex ?? -1])) ?? 0,
      was: asNumber(asAmount(row[wasIndex ?? -1])) ?? 0,
      deltaInterval: intervalAt(result, `${measure.name}.delta`, at),
    }),
  );
  const leaves = all.filter(({ now, was }) => now >= 0 && was >= 0);
  const complete = result.completeness.fraction >= 1;
  const nested = nest(leaves, 0, groupColumns.length, complete);
  const restCount = result.truncated?.groups ?? 0;
  const rest = restCount > 0 && whole !== null ? restOf(leaves, whole, restCount) : [];
  const roots = [...nested, ...rest];
  return {
    roots,
    now: sum(roots, ({ now }) => now),
    was: sum(roots, ({ was }) => was),
    negativeCount: all.length - leaves.length,
  };
}

function nest(
  leaves: readonly Leaf[],
  level: number,
  levels: number,
  complete: boolean,
): readonly TreeNode[] {
  const parts = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const key = keyOfGroup(leaf.group.slice(0, level + 1));
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [leaf]);
    else known.push(leaf);
  }
  return [...parts].map(([key, list]): TreeNode => {
    const group = (list[0]?.group ?? []).slice(0, level + 1);
    const deltas = list.map((leaf) => ({
      value: leaf.now - leaf.was,
      interval: leaf.deltaInterval,
    }));
    return {
      key,
      label: labelOfCell(group[level] ?? { value: null }),
      group,
      now: sum(list, ({ now }) => now),
      was: sum(list, ({ was }) => was),
      unsure: holdsZero(intervalOfSum(deltas, complete)),
      children: level + 1 < levels ? nest(list, level + 1, levels, complete) : [],
    };
  });
}

/** How large it is drawn: as it is, or what is gone as it was; as large as its parts. */
export function drawnSize({ now, was, children }: TreeNode): number {
  if (children.length > 0) return sum(children, drawnSize);
  return now > 0 ? now : was;
}

function restOf(leaves: readonly Leaf[], whole: Whole, count: number): TreeNode[] {
  const now = Math.max(0, (asNumber(whole.now) ?? 0) - sum(leaves, (leaf) => leaf.now));
  const was = Math.max(0, (asNumber(whole.was) ?? 0) - sum(leaves, (leaf) => leaf.was));
  if (now === 0 && was === 0) return [];
  const label = `${count} smaller ${count === 1 ? "group" : "groups"}`;
  return [{ key: "", label, group: [], now, was, unsure: false, children: [] }];
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
