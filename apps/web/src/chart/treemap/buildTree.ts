import type { GroupCell } from "../intent.js";
import { type ChartInput, type ChartMeasure, keyOfGroup, labelOfCell } from "../series.js";
import type { Whole } from "../whole.js";
import {
  amountsOf,
  hasSize,
  type Part,
  partsOf,
  restOf,
  type Sides,
  sizeOf,
} from "../wholeParts.js";

/** An area, and the areas within it. */
export interface TreeNode extends Sides {
  readonly key: string;
  readonly label: string;
  /** The values that it stands for, outermost first; empty for the rest. */
  readonly group: readonly GroupCell[];
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
  readonly children: readonly TreeNode[];
}

export interface Tree extends Sides {
  readonly roots: readonly TreeNode[];
  /** Groups below 0 have no area. */
  readonly negativeCount: number;
}

/** Groups nested by their values, in the order of the answer; what it left out is one more area. */
export function buildTree(input: ChartInput, measure: ChartMeasure, whole: Whole | null): Tree {
  const { result, groupColumns } = input;
  const all = partsOf(input, measure);
  const leaves = all.filter(hasSize);
  const complete = result.completeness.fraction >= 1;
  const nested = nest(leaves, 0, groupColumns.length, complete);
  const restCount = result.truncated?.groups ?? 0;
  const rest = restCount > 0 && whole !== null ? otherGroups(leaves, whole, restCount) : [];
  const roots = [...nested, ...rest];
  return {
    roots,
    now: sum(roots, ({ now }) => now),
    was: sum(roots, ({ was }) => was),
    negativeCount: all.length - leaves.length,
  };
}

function nest(
  leaves: readonly Part[],
  level: number,
  levels: number,
  complete: boolean,
): readonly TreeNode[] {
  const parts = new Map<string, Part[]>();
  for (const leaf of leaves) {
    const key = keyOfGroup(leaf.group.slice(0, level + 1));
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [leaf]);
    else known.push(leaf);
  }
  return [...parts].map(([key, list]): TreeNode => {
    const group = (list[0]?.group ?? []).slice(0, level + 1);
    return {
      key,
      label: labelOfCell(group[level] ?? { value: null }),
      group,
      ...amountsOf(list, complete),
      children: level + 1 < levels ? nest(list, level + 1, levels, complete) : [],
    };
  });
}

/** How large it is drawn: as it is, or what is gone as it was; as large as its parts. */
export const drawnSize = (node: TreeNode): number =>
  node.children.length > 0 ? sum(node.children, drawnSize) : sizeOf(node);

function otherGroups(leaves: readonly Part[], whole: Whole, count: number): TreeNode[] {
  const rest = restOf(leaves, whole);
  if (rest === null) return [];
  const label = `${count} smaller ${count === 1 ? "group" : "groups"}`;
  return [{ key: "", label, group: [], ...rest, unsure: false, children: [] }];
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
