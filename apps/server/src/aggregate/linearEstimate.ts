import { normal95, studentT95 } from "./studentT.js";

/**
 * A number of the full answer, estimated from a part of it, and what its error is made of. Numbers of one
 * answer are added, subtracted and scaled piece by piece, so that what they share is not counted twice.
 */
export interface LinearEstimate {
  /** What all leaves together would say, before any row was left out by sampling. */
  readonly value: number;
  /** Per leaf that answered: how far its part is from what its size lets expect; on average 0. */
  readonly residuals: readonly number[];
  /** Of the error that sample rates bring. */
  readonly variance: number;
  /** Degrees of freedom behind that variance. */
  readonly df: number;
  /** How far the interval's middle lies beside the value: numbers that cannot fall below 0 err upwards. */
  readonly shift: number;
  /** Least variance of what missing leaves hold, were every row placed by itself. */
  readonly leastMissing: number;
}

/** Rows that each leaf that answered holds, and those of the leaves that did not. Both 0 and none: nothing is missing. */
export interface LeafSizes {
  readonly answered: readonly number[];
  readonly missing: number;
}

export const wholeSizes: LeafSizes = { answered: [], missing: 0 };

/** A number of one answer in another unit. */
export function scaled(estimate: LinearEstimate, factor: number): LinearEstimate {
  if (factor === 1) return estimate;
  return {
    value: factor * estimate.value,
    residuals: estimate.residuals.map((residual) => factor * residual),
    variance: factor * factor * estimate.variance,
    df: estimate.df,
    shift: factor * estimate.shift,
    leastMissing: factor * factor * estimate.leastMissing,
  };
}

/** p · a + q · b, of two numbers of one answer. */
export function combine(
  p: number,
  a: LinearEstimate,
  q: number,
  b: LinearEstimate,
): LinearEstimate {
  const [own, other] = [p * p * a.variance, q * q * b.variance];
  const variance = own + other;
  // Welch and Satterthwaite.
  const doubt = (own * own) / a.df + (other * other) / b.df;
  return {
    value: p * a.value + q * b.value,
    residuals: a.residuals.map((residual, leaf) => p * residual + q * b.residuals[leaf]!),
    variance,
    df: doubt === 0 ? Number.POSITIVE_INFINITY : (variance * variance) / doubt,
    // The sides on which two numbers err level out.
    shift: 0,
    leastMissing: p * p * a.leastMissing + q * q * b.leastMissing,
  };
}

/**
 * Between which numbers the full answer lies 19 times of 20; null where the leaves that answered cannot
 * tell. Batches were placed on leaves at random, so leaves are what is sampled, and how much they differ
 * tells what the missing ones may hold (the ratio estimator of cluster sampling).
 */
export function interval95(
  estimate: LinearEstimate,
  sizes: LeafSizes,
): readonly [number, number] | null {
  const { value, variance, shift } = estimate;
  const half = halfWidth(estimate, sizes);
  if (half === null || !Number.isFinite(value) || !Number.isFinite(half)) return null;
  const width = Math.hypot(half, shift);
  if (variance + half === 0) return [value, value];
  return [value + shift - width, value + shift + width];
}

/** How far leaves differ two of them tell, at the least: with fewer nothing that lacks rows has a bar. */
export function canTell({ answered, missing }: LeafSizes): boolean {
  return missing === 0 || tellingLeaves(answered) >= 2;
}

const tellingLeaves = (answered: readonly number[]): number =>
  answered.filter((rows) => rows > 0).length;

function halfWidth(
  { residuals, variance, df, leastMissing }: LinearEstimate,
  { answered, missing }: LeafSizes,
): number | null {
  if (missing === 0) return studentT95(df) * Math.sqrt(variance);
  const told = tellingLeaves(answered);
  if (told < 2) return null;
  let perRow = 0;
  answered.forEach((rows, leaf) => {
    if (rows > 0) perRow += (residuals[leaf]! * residuals[leaf]!) / rows;
  });
  perRow /= told - 1;
  const answeredRows = add(answered);
  // What the missing rows differ by, and how far the share that predicts them is off.
  const missingVariance = (perRow * missing * (answeredRows + missing)) / answeredRows;
  const both = missingVariance + variance;
  if (both === 0) return normal95 * Math.sqrt(leastMissing);
  const doubt = missingVariance ** 2 / (told - 1) + variance ** 2 / df;
  const spread = studentT95(doubt === 0 ? Number.POSITIVE_INFINITY : both ** 2 / doubt);
  const least = normal95 * Math.sqrt(leastMissing + variance);
  return Math.max(spread * Math.sqrt(both), least);
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
