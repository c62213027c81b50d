import type { Completeness } from "@hadal/sdk";

/** Of the smaller one: what rows that arrive between two questions may change. */
const apartMax = 0.001;

/**
 * Whether two results about the same rows come from the same leaves, so that one can be a share of the other.
 * A leaf that is missing may have sent a part: of one query more than of the other.
 */
export const isOfSameLeaves = (a: Completeness, b: Completeness): boolean => {
  const [missing, others] = [a.leaves.missing, b.leaves.missing];
  if (a.leaves.total !== b.leaves.total || missing.length !== others.length) return false;
  if (missing.length === 0) return true;
  const isApart = Math.abs(a.fraction - b.fraction) > apartMax * Math.min(a.fraction, b.fraction);
  return !isApart && missing.every((leaf) => others.includes(leaf));
};
