import { isUnsure } from "../../kit/answer/difference.js";
import type { GroupCell } from "../../kit/answer/intent.js";
import { noOverlap } from "../../kit/answer/overlap.js";
import { type PartErrors, partErrorsOf } from "../../kit/answer/partErrors.js";
import {
  type ChartInput,
  type ChartMeasure,
  keyOfGroup,
  labelOfCell,
} from "../../kit/answer/series.js";
import type { Whole } from "../../kit/answer/whole.js";
import {
  amountsOf,
  differenceOfRest,
  hasSize,
  type Part,
  partsOf,
  restOf,
  type Sides,
  sizeOf,
  wholeOfShares,
} from "../../kit/answer/wholeParts.js";

/** An area, and the areas within it. */
export interface TreeNode extends Sides {
  readonly key: string;
  readonly label: string;
  /** The values that it represents, outermost first; empty for the rest. */
  readonly group: readonly GroupCell[];
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
  /** It adds up groups that overlap: rows in several of them count as often. */
  readonly overlaps: boolean;
  readonly children: readonly TreeNode[];
}

export interface Tree {
  readonly roots: readonly TreeNode[];
  /** The whole for shares; null: unknown. */
  readonly whole: Sides | null;
  /** Groups below 0 have no area. */
  readonly negativeCount: number;
}

/** Groups nested by their values, in the order of the answer; what it left out is one more area. */
export function buildTree(
  input: ChartInput,
  measure: ChartMeasure,
  whole: Whole | null,
  overlapping: ReadonlySet<string> = noOverlap,
): Tree {
  const { result, groupColumns } = input;
  const all = partsOf(input, measure);
  const leaves = all.filter(hasSize);
  const partErrors = partErrorsOf(result);
  const overlaps = groupColumns.map((name) => overlapping.has(name));
  const overlap = overlaps.includes(true);
  const nested = nest(leaves, 0, overlaps, partErrors);
  const restCount = result.truncated?.groups ?? 0;
  // What groups that overlap leave of the whole is not what the others are.
  const hasRest = restCount > 0 && whole !== null && !overlap;
  const roots = [...nested, ...(hasRest ? otherGroups(leaves, whole, restCount) : [])];
  return {
    roots,
    whole: wholeOfShares(roots, { whole, overlap }),
    negativeCount: all.length - leaves.length,
  };
}

function nest(
  leaves: readonly Part[],
  level: number,
  overlaps: readonly boolean[],
  partErrors: PartErrors,
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
      ...amountsOf(list, partErrors),
      overlaps: overlaps.includes(true, level + 1),
      children: level + 1 < overlaps.length ? nest(list, level + 1, overlaps, partErrors) : [],
    };
  });
}

/**
 * The drawn size: the current amount, or the earlier one if nothing is left; of a parent the sum of
 * its parts.
 */
export const drawnSize = (node: TreeNode): number =>
  node.children.length > 0 ? sum(node.children, drawnSize) : sizeOf(node);

function otherGroups(leaves: readonly Part[], whole: Whole, count: number): TreeNode[] {
  const rest = restOf(leaves, whole);
  if (rest === null) return [];
  const label = `${count} smaller ${count === 1 ? "group" : "groups"}`;
  const unsure = isUnsure(differenceOfRest(rest, leaves));
  return [{ key: "", label, group: [], ...rest, unsure, overlaps: false, children: [] }];
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}
