import type { Spread } from "../state/spreadState.js";
import {
  errorsOfLeaves,
  growthOf,
  type LeafSizes,
  type LinearEstimate,
  ownSizes,
} from "./linearEstimate.js";
import type { NoBar } from "./noBar.js";
import { normal95 } from "./studentT.js";
import { mixingOfGroup, type WeightsAround } from "./weightsAround.js";

/** With a smaller effective sample size the spread is unknown: all large values may be missing. */
const spreadRowsMin = 35;
/** With mixed weights, rows of large weight may be missing too: at most this many times as many rows are needed. */
const mixingMax = 2;
/** Relative rounding error of a square of large values that are close to each other. */
const roundingOfSquares = 1e-14;
/** Skewness below the rounding error is ignored; with this many rows skewness matters little. */
const roundingOfCubes = 1e-15;
const plainRowsMin = 300;

/** A sum of weighted values, or the weight of rows with a value, divided by the weight of rows. */
export interface Ratio {
  readonly sum: number;
  readonly weight: number;
  /** Spread of the rows of the sum. */
  readonly spread: Spread;
  /** Σ w(w−1) of all rows of the weight. */
  readonly ones: number;
  /** Number of rows. */
  readonly rows: number;
  /** The same per leaf. */
  readonly parts: readonly { readonly sum: number; readonly weight: number }[];
  readonly sizes: LeafSizes;
}

/** The effective sample size; null if it is too small to know the spread of the values. */
export function effectiveRows(
  of: Pick<Ratio, "rows" | "weight" | "ones">,
  around: WeightsAround,
): number | null {
  const mixing = mixingOfGroup(of, around);
  const own = (of.weight * of.weight) / (of.ones + of.weight);
  const rows = Math.min(own, of.rows / mixing);
  return of.ones > 0 && rows < spreadRowsMin * Math.min(mixing, mixingMax) ? null : rows;
}

/** The average of the full answer, or another sum over a count of the same rows. */
export function estimateRatio(ratio: Ratio, around: WeightsAround): LinearEstimate | NoBar {
  const { sum, weight, spread, ones } = ratio;
  const mean = sum / weight;
  const rows = effectiveRows(ratio, around);
  if (rows === null) return "few-rows";
  const moments = momentsAbout(mean, spread, ones);
  if (ones > 0 && moments.square <= 0) return "same-values";
  if (moments.cube === null && rows < plainRowsMin) return "few-rows";
  const growth = growthOf(ratio.sizes);
  const wholeWeight = weight * growth;
  return {
    value: mean,
    ...leafErrorsOf(ratio, mean, wholeWeight),
    // Bessel's correction, rows ÷ (rows − 1), since the mean is estimated too.
    variance:
      (moments.square * growth * rows) / Math.max(1, rows - 1) / (wholeWeight * wholeWeight),
    df: Math.max(1, rows - 1),
    shift: 0,
    third: ((moments.cube ?? 0) * growth * (ones / weight)) / wholeWeight ** 3,
    leastMissing: 0,
  };
}

/** The share of some rows in all: a score interval (Wilson), which is valid for few rows too. */
export function estimateShare(ratio: Ratio): LinearEstimate {
  const { sum, weight, spread, ones } = ratio;
  const share = sum / weight;
  const [own] = spread;
  const squares = (1 - share) ** 2 * own + share ** 2 * Math.max(0, ones - own);
  const growth = growthOf(ratio.sizes);
  const wholeWeight = weight * growth;
  const byWeights = (wholeWeight * wholeWeight) / (ones * growth);
  const byShare = (share * (1 - share) * wholeWeight * wholeWeight) / (squares * growth);
  const rows = byShare > 0 ? Math.min(byWeights, byShare) : byWeights;
  const more = rows + normal95 ** 2;
  return {
    value: share,
    ...leafErrorsOf(ratio, share, wholeWeight),
    variance: (share * (1 - share)) / more,
    df: Number.POSITIVE_INFINITY,
    shift: (normal95 ** 2 * (0.5 - share)) / more,
    third: 0,
    leastMissing: 0,
  };
}

function leafErrorsOf(
  { parts, sizes, weight }: Ratio,
  mean: number,
  wholeWeight: number,
): Pick<LinearEstimate, "leafErrors" | "evidenceLeaves"> {
  return errorsOfLeaves(
    parts.map((part) => (part.sum - mean * part.weight) / wholeWeight),
    ownSizes(parts, weight, sizes),
  );
}

/**
 * Σ w(w−1)(x − mean)² and the same with cubes, with x = 0 for rows without a value. A square of 0: all values are equal.
 * A cube of null: less than the rounding error is left of the sums.
 */
export function momentsAbout(
  mean: number,
  [, linear, square, cube]: Spread,
  ones: number,
): { readonly square: number; readonly cube: number | null } {
  const squares = square - 2 * mean * linear + mean * mean * ones;
  if (squares <= roundingOfSquares * mean * mean * ones) return { square: 0, cube: 0 };
  const cubes = cube - 3 * mean * square + 3 * mean * mean * linear - mean ** 3 * ones;
  const spreadCubed = ones * (squares / ones) ** 1.5;
  const isLost = roundingOfCubes * Math.abs(mean) ** 3 * ones > 0.01 * spreadCubed;
  return { square: squares, cube: isLost ? null : cubes };
}
