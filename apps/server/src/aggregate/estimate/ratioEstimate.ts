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

/** With fewer rows, as many of equal weight, the spread of the values is unknown: large ones may all be missing. */
const spreadRowsMin = 35;
/** Where weights are mixed, rows that stand for many events may be missing, too: so many times as many are needed at most. */
const mixingMax = 2;
/** Of large values close to one another rounding leaves so much of a square, as a share. */
const roundingOfSquares = 1e-14;
/** A skewness that rounding may have made is none; it matters little where rows are so many. */
const roundingOfCubes = 1e-15;
const plainRowsMin = 300;

/** A sum of weighted values, or the weights of rows that have a value, over the weights of rows. */
export interface Ratio {
  readonly sum: number;
  readonly weight: number;
  /** Of the rows of the sum. */
  readonly spread: Spread;
  /** Σ w(w−1) of all rows of the weight. */
  readonly ones: number;
  /** How many rows there are. */
  readonly rows: number;
  /** The same of each leaf. */
  readonly parts: readonly { readonly sum: number; readonly weight: number }[];
  readonly sizes: LeafSizes;
}

/** The effective number of rows, of equal weight; null where they are too few to know how far values spread. */
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
    // What the mean itself took from the squares.
    variance:
      (moments.square * growth * rows) / Math.max(1, rows - 1) / (wholeWeight * wholeWeight),
    df: Math.max(1, rows - 1),
    shift: 0,
    third: ((moments.cube ?? 0) * growth * (ones / weight)) / wholeWeight ** 3,
    leastMissing: 0,
  };
}

/** The share that some rows have of all: a score interval (Wilson), which holds for few rows, too. */
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
): Pick<LinearEstimate, "leafErrors" | "tellingLeaves"> {
  return errorsOfLeaves(
    parts.map((part) => (part.sum - mean * part.weight) / wholeWeight),
    ownSizes(parts, weight, sizes),
  );
}

/**
 * Σ w(w−1)(x − mean)² and the same with cubes, of rows that have the value, and with 0 for x of the others. A square
 * of 0: all values are the same; a cube of null: what is left of the sums is not worth a digit.
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
