import type { PartAnswer } from "../partAnswer.js";

/** Parts of one query's answers, of both ways to its partitions. */
export interface PartsOfBothWays {
  /** Of the first way: no partition is in two of them. */
  readonly first: readonly PartAnswer[];
  /** Whole answers of copies: each of one partition, and no two of the same. */
  readonly copies: readonly PartAnswer[];
  /** How much of the expected rows parts cover. */
  readonly coverageOf: (parts: readonly PartAnswer[]) => number;
}

/**
 * The parts to merge: no partition is in two of them (I7). What the first way has done stays; a
 * copy stands for a partition that it has not. A part that is not done cannot be split: it stays
 * where it covers more than the copies of its partitions, so that completeness never falls.
 */
export function chooseParts({ first, copies, coverageOf }: PartsOfBothWays): readonly PartAnswer[] {
  const left = new Map(copies.map((copy) => [copy.partId, copy]));
  const chosen: PartAnswer[] = [];
  const take = (part: PartAnswer): void => {
    chosen.push(part);
    for (const { leafId } of part.leaves) left.delete(leafId);
  };
  for (const part of first) if (part.done) take(part);
  for (const part of first) {
    if (part.done) continue;
    const own = part.leaves.flatMap(({ leafId }) => left.get(leafId) ?? []);
    if (own.length === 0 || coverageOf(own) < coverageOf([part])) take(part);
  }
  return [...chosen, ...left.values()];
}
