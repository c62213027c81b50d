import { countOf } from "../state/countState.js";
import { type Spread, spreadOf } from "../state/spreadState.js";
import { columnOf } from "../state/stateKind.js";
import { floatSumOf } from "../state/sumState.js";
import type { RowStates, ShownEvidence } from "./leafEvidence.js";
import { errorsOfLeaves, growthOf, type LeafSizes, type LinearEstimate } from "./linearEstimate.js";
import type { NoBar } from "./noBar.js";
import { effectiveRows, estimateRatio, momentsAbout, type Ratio } from "./ratioEstimate.js";
import { normal95 } from "./studentT.js";
import type { WeightReader, WeightsAround } from "./weightsAround.js";

/** With this many rows of a group per leaf, the error is estimated from the differences between leaves. */
const plentyRows = 5;
/** With fewer rows, weights of nearby rows are used too: the rows that sampling dropped may have had other weights. */
const ownRowsMin = 5;
/** Weights of a group count as mixed if its heavy rows exceed the average weight by this factor. */
const mixedMin = 1.1;

/** One sender's part of a result row: the weight of its rows, and the sum. Overwritten, since there are many. */
interface Moments {
  weight: number;
  sum: number;
}

/** Estimates the number of one row in the full answer, or returns why it has no error bar. */
export type Estimator = (row: number) => LinearEstimate | NoBar;

/** A number whose error can be estimated: a count, a sum or an average. */
export interface EstimatedNumber {
  readonly as: "count" | "sum" | "average";
  /** The state that it is finished from: counts or sums. */
  readonly stateIndex: number;
  /** The state for the error of sample rates; null if there is none. */
  readonly spreadIndex: number | null;
}

/** Estimates a number on one side. A row that is based on too few rows has no estimate. */
export function createEstimator(
  number: EstimatedNumber,
  evidence: ShownEvidence,
  sideIndex: number,
  around: WeightsAround,
): Estimator {
  const read = createReader(number, evidence, sideIndex);
  return (row) => {
    const sample = read(row);
    if (sample === "unknown") return sample;
    // All its rows may be on missing leaves.
    if (sample.rows === 0 && sample.sizes.missing > 0) return "unknown";
    if (number.as === "count") return estimateCount(sample, around.excessOf(row));
    if (sample.weight === 0) return "unknown";
    return number.as === "average"
      ? estimateRatio(ratioOf(sample), around)
      : estimateSum(sample, around);
  };
}

/** Reads the states that a number is estimated from. */
export function createReader(
  number: EstimatedNumber,
  { sizes: sizesOfSides, together, leaves }: ShownEvidence,
  sideIndex: number,
): (row: number) => Sample | "unknown" {
  const { spreadIndex } = number;
  const all = together[sideIndex]!;
  const read = momentsReader(number);
  const senders = leaves[sideIndex]!;
  const sizesOfRows = sizesOfSides[sideIndex]!;
  const spreads = spreadIndex === null ? null : all.states[spreadIndex]!;
  const found: Moments = { weight: 0, sum: 0 };
  return (row) => {
    if (!read(all, row, found)) return "unknown";
    const { weight, sum } = found;
    const parts: Moments[] = [];
    for (const sender of senders) {
      const part: Moments = { weight: 0, sum: 0 };
      if (!read(sender, row, part)) return "unknown";
      parts.push(part);
    }
    const sizes = sizesOfRows[row]!;
    const sizeOfAll = sizes.answered.reduce((sum, rows) => sum + rows, 0);
    const growth = growthOf(sizes);
    const spread = spreads === null ? noSpread : spreadOf(spreads, all.groups[row]!);
    // Assigned by property, here and below: spreading objects would take longer than all the rest.
    return { weight, sum, parts, spread, rows: rowsOf(all, row), sizes, sizeOfAll, growth };
  };
}

const noSpread: Spread = [0, 0, 0, 0];

interface Sample {
  readonly weight: number;
  readonly sum: number;
  /** The same per leaf. */
  readonly parts: readonly Moments[];
  readonly sizes: LeafSizes;
  /** Rows of all leaves that answered. */
  readonly sizeOfAll: number;
  /** All rows ÷ rows that answered, in the time of the result row. */
  readonly growth: number;
  readonly spread: Spread;
  /** Rows of the group. */
  readonly rows: number;
}

function ratioOf({ sum, weight, spread, parts, sizes, rows }: Sample): Ratio {
  return { sum, weight, spread, ones: spread[0], parts, sizes, rows };
}

/** `around`: the mean weight of an event in nearby rows, minus 1. */
function estimateCount(sample: Sample, around: number): LinearEstimate {
  const { weight, rows, growth, spread } = sample;
  // For many rows the spread is estimated from some of them; it is at least that of equal weights.
  const ones = rows === 0 ? 0 : Math.max(spread[0], weight * (weight / rows - 1));
  // Rows of large weight cause most of the error: their weight minus 1.
  const heavy = spread[0] === 0 ? 0 : Math.max(spread[1] / spread[0] - 1, ones / weight);
  const isMixed = heavy * weight > ones * mixedMin;
  const few = weight === 0 || isMixed ? 1 : Math.max(0, 1 - rows / ownRowsMin);
  const unseen = Math.max(heavy, few * around);
  // As if there were one more row with the weight of the heavy rows, or of nearby rows.
  const perEvent = unseen === 0 ? 0 : (ones + unseen * (unseen + 1)) / (weight + unseen + 1);
  const { value, leafErrors, evidenceLeaves, leastMissing } = estimateTotal(
    sample,
    weight,
    ({ weight: own }) => own,
  );
  return {
    value,
    leafErrors,
    evidenceLeaves,
    leastMissing,
    variance: weight * perEvent * growth,
    df: Number.POSITIVE_INFINITY,
    // A score interval, since the variance of a count grows with it.
    shift: (normal95 ** 2 * Math.max(perEvent, unseen)) / 2,
    third: 0,
  };
}

function estimateSum(sample: Sample, around: WeightsAround): LinearEstimate | NoBar {
  const { sum, weight, growth, spread } = sample;
  const [ones, , squares, cubes] = spread;
  const rows = effectiveRows({ rows: sample.rows, weight, ones }, around);
  if (rows === null) return "few-rows";
  const { value, leafErrors, evidenceLeaves, leastMissing } = estimateTotal(
    sample,
    sum,
    (part) => part.sum,
  );
  const variance = squares * growth;
  if (ones > 0 && momentsAbout(sum / weight, spread, ones).square === 0) {
    if (sum === 0) return "same-values";
    // If all values are equal, the sum has the relative error of the count.
    const shift = ((sum / weight) * normal95 ** 2 * ones) / (2 * weight);
    const df = Number.POSITIVE_INFINITY;
    return { value, leafErrors, evidenceLeaves, leastMissing, variance, df, shift, third: 0 };
  }
  const df = Math.max(1, rows - 1);
  const third = ones === 0 ? 0 : cubes * growth * (ones / weight);
  return { value, leafErrors, evidenceLeaves, leastMissing, variance, df, shift: 0, third };
}

/** The part of an estimate that is due to missing leaves. */
function estimateTotal(
  sample: Sample,
  total: number,
  own: (part: Moments) => number,
): Pick<LinearEstimate, "value" | "leafErrors" | "evidenceLeaves" | "leastMissing"> {
  const { parts, sizes, sizeOfAll, rows } = sample;
  const { answered, missing } = sizes;
  const { leafErrors, evidenceLeaves } = errorsOfLeaves(
    parts.map((part, i) => own(part) - (total * answered[i]!) / sizeOfAll),
    sizes,
  );
  return {
    value: missing === 0 ? total : total + (total * missing) / sizeOfAll,
    leafErrors,
    evidenceLeaves,
    leastMissing: rows === 0 ? 0 : (total / rows) * leastMissing(sample),
  };
}

/**
 * The smallest error that missing leaves are assumed to cause. Few rows may be spread evenly by chance, so they count as a
 * random draw from all rows. For many rows the differences between leaves are used, but at least one deviation of that draw.
 */
function leastMissing({ rows, sizes, sizeOfAll, growth }: Sample): number {
  const { answered, missing } = sizes;
  if (missing === 0) return 0;
  // Never 0 or 1: if all rows that answered belong to the group, or none, the missing ones may differ.
  const share = (Math.min(rows, sizeOfAll) + 1) / (sizeOfAll + 2);
  const deviation = Math.sqrt(share * (1 - share) * missing * growth);
  return rows < plentyRows * answered.length ? normal95 * deviation : deviation;
}

/** Reads a sender's part of one row; false if a sum is unknown. */
function momentsReader({
  as,
  stateIndex,
}: EstimatedNumber): (sender: RowStates, row: number, into: Moments) => boolean {
  if (as === "count") {
    return ({ states, groups }, row, into) => {
      const group = groups[row]!;
      into.weight = group < 0 ? 0 : countOf(states[stateIndex]!, group);
      into.sum = into.weight;
      return true;
    };
  }
  return ({ states, groups }, row, into) => {
    const group = groups[row]!;
    into.weight = 0;
    into.sum = 0;
    if (group < 0) return true;
    const sum = floatSumOf(states[stateIndex]!, group);
    if (sum === "overflow") return false;
    into.weight = columnOf(states[stateIndex]!, "sum").weights[group]!;
    into.sum = sum ?? 0;
    return true;
  };
}

/** Reads the weights behind a number; null if sample rates do not make it an estimate. */
export function weightReader({
  as,
  stateIndex,
  spreadIndex,
}: EstimatedNumber): WeightReader | null {
  if (spreadIndex === null) return null;
  return {
    weightOf: (states, group) =>
      as === "count"
        ? countOf(states[stateIndex]!, group)
        : columnOf(states[stateIndex]!, "sum").weights[group]!,
    onesOf: (states, group) => spreadOf(states[spreadIndex]!, group)[0],
  };
}

/** How many rows of a sender a result row is based on. */
export function rowsOf({ states, groups }: RowStates, row: number): number {
  const group = groups[row]!;
  // The first state of every query.
  return group < 0 ? 0 : countOf(states[0]!, group);
}
