import { normal95, studentT95 } from "./studentT.js";

/**
 * A number of the full answer, estimated from a part of it, with the components of its error. Numbers of one answer are
 * added, subtracted and scaled by component, so that correlated errors are not counted twice.
 */
export interface LinearEstimate {
  /** The estimated value with all leaves and without sampling. */
  readonly value: number;
  /** The error of missing leaves, one component per leaf that answered; their squares add up to its variance. */
  readonly leafErrors: readonly number[];
  /** Number of leaves whose differences are evidence; infinite if none is missing, 0 if they are no evidence for the missing ones. */
  readonly evidenceLeaves: number;
  /** Variance of the error from sample rates. */
  readonly variance: number;
  /** Degrees of freedom of that variance. */
  readonly df: number;
  /** Offset of the interval's middle from the value: numbers that are never negative err upwards. */
  readonly shift: number;
  /** Third central moment of that error, since few large values are more often missing than present. */
  readonly third: number;
  /** Minimum half width of the bar from missing leaves: the deviation if rows were placed one by one. Signed, since numbers of one group are correlated. */
  readonly leastMissing: number;
}

/** Rows of a time range on each leaf that answered, and on all missing leaves. */
export interface LeafSizes {
  readonly answered: readonly number[];
  readonly missing: number;
  /** Whether missing rows and rows that answered have a similar distribution over time; else these are no evidence. */
  readonly haveSameTimes: boolean;
}

export const wholeSizes: LeafSizes = { answered: [], missing: 0, haveSameTimes: true };

/** All rows ÷ rows that answered: 1 or more. */
export function growthOf({ answered, missing }: Pick<LeafSizes, "answered" | "missing">): number {
  return missing === 0 ? 1 : 1 + missing / add(answered);
}

/**
 * The error of missing leaves from `residuals`: the part of each leaf minus the part expected for its size, on average 0.
 * Batches are placed on leaves at random, so leaves are the sampling units, and their differences bound the missing ones
 * (the ratio estimator of cluster sampling).
 */
export function errorsOfLeaves(
  residuals: readonly number[],
  { answered, missing, haveSameTimes }: LeafSizes,
): Pick<LinearEstimate, "leafErrors" | "evidenceLeaves"> {
  if (residuals.length === 0 && missing === 0) return noErrors;
  if (missing === 0) return { leafErrors: residuals.map(() => 0), evidenceLeaves: Infinity };
  const evidenceLeaves = haveSameTimes ? countEvidenceLeaves(answered) : 0;
  // Then the error is unknown, however near 0 it seems.
  if (evidenceLeaves < 2) return { leafErrors: residuals.map(() => 0), evidenceLeaves };
  const answeredRows = add(answered);
  // The deviation of the missing rows, and the error of the share that predicts them.
  const perRow = (missing * (answeredRows + missing)) / answeredRows / (evidenceLeaves - 1);
  return {
    leafErrors: residuals.map((residual, leaf) => {
      const rows = answered[leaf]!;
      return rows === 0 ? 0 : residual * Math.sqrt(perRow / rows);
    }),
    evidenceLeaves,
  };
}

/** The sizes of leaves in the rows of one group; a leaf without such rows is no evidence. */
export function ownSizes(
  parts: readonly { readonly weight: number }[],
  weight: number,
  sizes: LeafSizes,
): LeafSizes {
  const { missing, haveSameTimes } = sizes;
  if (missing === 0) return sizes;
  const ownMissing = weight * (growthOf(sizes) - 1);
  return { answered: parts.map((part) => part.weight), missing: ownMissing, haveSameTimes };
}

const noErrors = { leafErrors: [], evidenceLeaves: Infinity } as const;

/** Used as the number of leaves if the row-count ledger knows the value. */
export const knownByLedger = Number.MAX_SAFE_INTEGER;
/** Leaves that differ by at most this share agree: the difference is rounding. */
const agreeMax = 1e-12;

/** A number of one answer in another unit. */
export function scaled(estimate: LinearEstimate, factor: number): LinearEstimate {
  if (factor === 1) return estimate;
  return {
    value: factor * estimate.value,
    leafErrors: estimate.leafErrors.map((error) => factor * error),
    evidenceLeaves: estimate.evidenceLeaves,
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
    evidenceLeaves: Math.min(a.evidenceLeaves, b.evidenceLeaves),
    variance,
    df: doubt === 0 ? Number.POSITIVE_INFINITY : (variance * variance) / doubt,
    // The offsets of two numbers partly cancel.
    shift: 0,
    third: p ** 3 * a.third + q ** 3 * b.third,
    // The two sides are different rows.
    leastMissing: Math.hypot(p * a.leastMissing, q * b.leastMissing),
  };
}

/** The 95 % confidence interval; null if the leaves that answered are no evidence. */
export function interval95(estimate: LinearEstimate): readonly [number, number] | null {
  const { value, shift, third } = estimate;
  const error = errorOf(estimate);
  if (error === null || !Number.isFinite(value)) return null;
  if (third !== 0 && shift === 0) return skewedInterval(estimate, error);
  const width = Math.hypot(error.deviation * error.quantile, shift);
  return [value + shift - width, value + shift + width];
}

/** The variance of a normal error with an interval of the same width; null without evidence. */
export function varianceOf95(estimate: LinearEstimate): number | null {
  const error = errorOf(estimate);
  return error === null ? null : ((error.deviation * error.quantile) / normal95) ** 2;
}

/** Whether it has no error: no sampled rows and no missing ones. */
export function isExact({ evidenceLeaves, variance, shift }: LinearEstimate): boolean {
  return evidenceLeaves === Number.POSITIVE_INFINITY && variance === 0 && shift === 0;
}

/** Correction of the skewness, which few rows underestimate: this factor ÷ √rows. */
const skewUnseen = 3;
/** A skewness too small to change the interval. */
const skewMin = 1e-6;

/**
 * Hall's transformation: if large values are missing by chance, both the number and its estimated error are too small, so
 * the interval extends farther towards large values.
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
  /** 95 % of estimates are off by at most this many deviations. */
  readonly quantile: number;
}

/** Null without evidence. */
function errorOf(estimate: LinearEstimate): StandardError | null {
  const { value, leafErrors, evidenceLeaves, variance, df, leastMissing } = estimate;
  if (evidenceLeaves < 2) return null;
  const missingVariance = leafErrors.reduce((sum, error) => sum + error * error, 0);
  const both = missingVariance + variance;
  const deviation = Math.sqrt(both);
  const doubt = missingVariance ** 2 / (evidenceLeaves - 1) + variance ** 2 / df;
  const quantile = studentT95(doubt === 0 ? Number.POSITIVE_INFINITY : both ** 2 / doubt);
  const least = Math.hypot(leastMissing, normal95 * Math.sqrt(variance));
  const half = Math.max(quantile * deviation, least);
  if (!Number.isFinite(half)) return null;
  // Leaves that agree do not show how much others may differ.
  const agree = half <= agreeMax * Math.abs(value);
  if (agree && evidenceLeaves < knownByLedger) return null;
  return half > quantile * deviation
    ? { deviation: least / normal95, quantile: normal95 }
    : { deviation, quantile };
}

/** Number of leaves that answered and are evidence of how leaves differ. */
function countEvidenceLeaves(answered: readonly number[]): number {
  return answered.filter((rows) => rows > 0).length;
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
