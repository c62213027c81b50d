import { normal95, studentT95 } from "./studentT.js";

/**
 * A number of the full answer, estimated from a part of it, and what its error is made of. Numbers of one
 * answer are added, subtracted and scaled piece by piece, so that what they share is not counted twice.
 */
export interface LinearEstimate {
  /** What all leaves together would say, before any row was left out by sampling. */
  readonly value: number;
  /** Of the error that missing leaves bring, by leaf that answered: the squares of these add up to its variance. */
  readonly leafErrors: readonly number[];
  /** Leaves whose differences are evidence; infinite where none is missing, 0 where they say nothing of those that are. */
  readonly tellingLeaves: number;
  /** Of the error that sample rates bring. */
  readonly variance: number;
  /** Degrees of freedom behind that variance. */
  readonly df: number;
  /** How far the interval's middle lies beside the value: numbers that cannot fall below 0 err upwards. */
  readonly shift: number;
  /** The third moment of that error: a few large values are missing more often than they are there. */
  readonly third: number;
  /** Half a bar's width that missing leaves bring at the least: by how much rows placed one by one differ. With the sign of what it is of, as numbers of one group differ together. */
  readonly leastMissing: number;
}

/** Rows of one stretch of time that each leaf that answered holds, and those of the leaves that did not. */
export interface LeafSizes {
  readonly answered: readonly number[];
  readonly missing: number;
  /** Whether the missing rows lie about where those that answered do, in time: else these say little of them. */
  readonly tellSameTimes: boolean;
}

export const wholeSizes: LeafSizes = { answered: [], missing: 0, tellSameTimes: true };

/** Shares of all rows that the rows that answered stand for: 1 and more. */
export function growthOf({ answered, missing }: Pick<LeafSizes, "answered" | "missing">): number {
  return missing === 0 ? 1 : 1 + missing / add(answered);
}

/**
 * How far the missing leaves may be off, of `residuals`: how far the part of each leaf is from what its size lets
 * expect, on average 0. Batches were placed on leaves at random, so leaves are what is sampled, and how much they
 * differ bounds what the missing ones may hold (the ratio estimator of cluster sampling).
 */
export function errorsOfLeaves(
  residuals: readonly number[],
  { answered, missing, tellSameTimes }: LeafSizes,
): Pick<LinearEstimate, "leafErrors" | "tellingLeaves"> {
  if (residuals.length === 0 && missing === 0) return noErrors;
  if (missing === 0) return { leafErrors: residuals.map(() => 0), tellingLeaves: Infinity };
  const tellingLeaves = tellSameTimes ? countTelling(answered) : 0;
  // Nothing is known of the error then, however near it seems to 0.
  if (tellingLeaves < 2) return { leafErrors: residuals.map(() => 0), tellingLeaves };
  const answeredRows = add(answered);
  // What the missing rows differ by, and how far the share that predicts them is off.
  const perRow = (missing * (answeredRows + missing)) / answeredRows / (tellingLeaves - 1);
  return {
    leafErrors: residuals.map((residual, leaf) => {
      const rows = answered[leaf]!;
      return rows === 0 ? 0 : residual * Math.sqrt(perRow / rows);
    }),
    tellingLeaves,
  };
}

/** The sizes of leaves in the rows of one group: one that has none of them is no evidence of how leaves differ in it. */
export function ownSizes(
  parts: readonly { readonly weight: number }[],
  weight: number,
  sizes: LeafSizes,
): LeafSizes {
  const { missing, tellSameTimes } = sizes;
  if (missing === 0) return sizes;
  const ownMissing = weight * (growthOf(sizes) - 1);
  return { answered: parts.map((part) => part.weight), missing: ownMissing, tellSameTimes };
}

const noErrors = { leafErrors: [], tellingLeaves: Infinity } as const;

/** In place of a number of leaves: the row-count ledger knows the number. */
export const knownByLedger = Number.MAX_SAFE_INTEGER;
/** Leaves that differ by no more than this share agree: the rest is rounding. */
const agreeMax = 1e-12;

/** A number of one answer in another unit. */
export function scaled(estimate: LinearEstimate, factor: number): LinearEstimate {
  if (factor === 1) return estimate;
  return {
    value: factor * estimate.value,
    leafErrors: estimate.leafErrors.map((error) => factor * error),
    tellingLeaves: estimate.tellingLeaves,
    variance: factor * factor * estimate.variance,
    df: estimate.df,
    shift: factor * estimate.shift,
    third: factor ** 3 * estimate.third,
    leastMissing: factor * estimate.leastMissing,
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
    leafErrors: a.leafErrors.map((error, leaf) => p * error + q * b.leafErrors[leaf]!),
    tellingLeaves: Math.min(a.tellingLeaves, b.tellingLeaves),
    variance,
    df: doubt === 0 ? Number.POSITIVE_INFINITY : (variance * variance) / doubt,
    // The sides on which two numbers err level out.
    shift: 0,
    third: p ** 3 * a.third + q ** 3 * b.third,
    // The two sides are different rows.
    leastMissing: Math.hypot(p * a.leastMissing, q * b.leastMissing),
  };
}

/** Between which numbers the full answer lies 19 times of 20; null where the leaves that answered are no evidence. */
export function interval95(estimate: LinearEstimate): readonly [number, number] | null {
  const { value, shift, third } = estimate;
  const error = errorOf(estimate);
  if (error === null || !Number.isFinite(value)) return null;
  if (third !== 0 && shift === 0) return skewedInterval(estimate, error);
  const width = Math.hypot(error.deviation * error.quantile, shift);
  return [value + shift - width, value + shift + width];
}

/** The variance of an error that is normal and whose interval is as wide; null where there is no evidence. */
export function varianceOf95(estimate: LinearEstimate): number | null {
  const error = errorOf(estimate);
  return error === null ? null : ((error.deviation * error.quantile) / normal95) ** 2;
}

/** Whether nothing makes it err: every row stands for itself, and none is missing. */
export function isExact({ tellingLeaves, variance, shift }: LinearEstimate): boolean {
  return tellingLeaves === Number.POSITIVE_INFINITY && variance === 0 && shift === 0;
}

/** Few rows show less skewness than there is: by this share, over the square root of how many they are. */
const skewUnseen = 3;
/** A skewness that changes no digit. */
const skewMin = 1e-6;

/**
 * Hall's transformation: where large values happen to be missing, both the number and what is known of its error are
 * too small, so that the interval reaches farther to the side of the large values.
 */
function skewedInterval(
  { value, third, df }: LinearEstimate,
  { deviation, quantile }: StandardError,
): readonly [number, number] {
  const rows = Number.isFinite(df) ? df + 1 : Number.POSITIVE_INFINITY;
  const skew = deviation === 0 ? 0 : (third / deviation ** 3) * (1 + skewUnseen / Math.sqrt(rows));
  if (Math.abs(skew) < skewMin) return [value - deviation * quantile, value + deviation * quantile];
  const errorAt = (quantileAt: number): number =>
    (3 / skew) * (Math.cbrt(1 + skew * (quantileAt - skew / 6)) - 1);
  return [value - deviation * errorAt(quantile), value - deviation * errorAt(-quantile)];
}

interface StandardError {
  readonly deviation: number;
  /** 19 times of 20 an estimate is off by so many deviations at most. */
  readonly quantile: number;
}

/** Null where there is no evidence. */
function errorOf(estimate: LinearEstimate): StandardError | null {
  const { value, leafErrors, tellingLeaves, variance, df, leastMissing } = estimate;
  if (tellingLeaves < 2) return null;
  const missingVariance = leafErrors.reduce((sum, error) => sum + error * error, 0);
  const both = missingVariance + variance;
  const deviation = Math.sqrt(both);
  const doubt = missingVariance ** 2 / (tellingLeaves - 1) + variance ** 2 / df;
  const quantile = studentT95(doubt === 0 ? Number.POSITIVE_INFINITY : both ** 2 / doubt);
  const least = Math.hypot(leastMissing, normal95 * Math.sqrt(variance));
  const half = Math.max(quantile * deviation, least);
  if (!Number.isFinite(half)) return null;
  // Leaves that agree are no evidence of how far others may differ.
  const agree = half <= agreeMax * Math.abs(value);
  if (agree && tellingLeaves < knownByLedger) return null;
  return half > quantile * deviation
    ? { deviation: least / normal95, quantile: normal95 }
    : { deviation, quantile };
}

/** Of the leaves that answered those that are evidence of how far leaves differ. */
function countTelling(answered: readonly number[]): number {
  return answered.filter((rows) => rows > 0).length;
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
