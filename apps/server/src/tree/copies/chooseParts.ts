import type { PartAnswer } from "../partAnswer.js";

/** Parts of one query's answers, of both ways to its partitions. */
export interface PartsOfBothWays {
  /** Of the first way: no partition is in two of them. */
  readonly first: readonly PartAnswer[];
  /** Whole answers of copies: each of one partition, and no two of the same. */
  readonly copies: readonly PartAnswer[];
  /** How much of the expected rows parts cover. */
  readonly coverageOf: (parts: readonly PartAnswer[]) => number;
  /** The first way leads to a copy, the other one to its leaf: of equal answers the leaf's counts. */
  readonly isCopyFirst?: boolean;
}

/**
 * The parts to merge: no partition is in two of them (I7). What the first way has done stays, unless
 * it is of one partition, of which the other way has more rows; a copy stands for a partition that
 * it has not. A part that is not done cannot be split: it stays
 * where it covers more than the copies of its partitions, so that completeness never falls.
 */
export function chooseParts({
  first,
  copies,
  coverageOf,
  isCopyFirst = false,
}: PartsOfBothWays): readonly PartAnswer[] {
  const left = new Map(copies.map((copy) => [copy.partId, copy]));
  const chosen: PartAnswer[] = [];
  const isShorter = ({ leaves, ...part }: PartAnswer): boolean => {
    const [leaf, ...others] = leaves;
    const other = others.length > 0 ? undefined : left.get(leaf?.leafId ?? "");
    if (other === undefined) return false;
    const more = coverageOf([other]) - coverageOf([{ leaves, ...part }]);
    return isCopyFirst ? more >= 0 : more > 0;
  };
  const take = (part: PartAnswer): void => {
    chosen.push(part);
    for (const { leafId } of part.leaves) left.delete(leafId);
  };
  for (const part of first) if (part.done && !isShorter(part)) take(part);
  for (const part of first) {
    if (part.done && !isShorter(part)) continue;
    const own = part.leaves.flatMap(({ leafId }) => left.get(leafId) ?? []);
    if (own.length === 0 || coverageOf(own) < coverageOf([part])) take(part);
  }
  return [...chosen, ...left.values()];
}
