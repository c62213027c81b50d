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

/** With so many rows of a group on each leaf, the spread between leaves is evidence enough. */
const plentyRows = 5;
/** Fewer rows than these may have other weights than those that sampling left out: the weights around them count too. */
const ownRowsMin = 5;
/** The weights of a group are mixed where its heavy rows weigh so much more than its rows do on average. */
const mixedMin = 1.1;

/** What one sender says of a row of the result: the weight of its rows, and the sum. Read into, for there are many. */
interface Moments {
  weight: number;
  sum: number;
}

/** What the full answer is likely to be, of the number of one row, or why nothing honest can be said of it. */
export type Estimator = (row: number) => LinearEstimate | NoBar;

/** A number whose error can be estimated: a count, a sum, or the mean of what was summed. */
export interface EstimatedNumber {
  readonly as: "count" | "sum" | "average";
  /** The state that it is finished from: of counts, or of sums. */
  readonly stateIndex: number;
  /** The state of the error from sample rates; null where there is none. */
  readonly spreadIndex: number | null;
}

/** Estimates a number on one side. A row has no estimate where it stands on too few rows. */
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
    // All its rows may lie on leaves that are missing.
    if (sample.rows === 0 && sample.sizes.missing > 0) return "unknown";
    if (number.as === "count") return estimateCount(sample, around.excessOf(row));
    if (sample.weight === 0) return "unknown";
    return number.as === "average"
      ? estimateRatio(ratioOf(sample), around)
      : estimateSum(sample, around);
  };
}

/** Reads what a number is estimated from. */
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
    // Property by property, here and below: to spread objects into one takes longer than all the rest.
    return { weight, sum, parts, spread, rows: rowsOf(all, row), sizes, sizeOfAll, growth };
  };
}

const noSpread: Spread = [0, 0, 0, 0];

interface Sample {
  readonly weight: number;
  readonly sum: number;
  /** The same of each leaf. */
  readonly parts: readonly Moments[];
  readonly sizes: LeafSizes;
  /** Rows of all leaves that answered. */
  readonly sizeOfAll: number;
  /** All rows ÷ rows that answered, in the row's part of time. */
  readonly growth: number;
  readonly spread: Spread;
  /** Rows of the group. */
  readonly rows: number;
}

function ratioOf({ sum, weight, spread, parts, sizes, rows }: Sample): Ratio {
  return { sum, weight, spread, ones: spread[0], parts, sizes, rows };
}

/** `around`: by how much more than 1 an event of the rows around these weighs. */
function estimateCount(sample: Sample, around: number): LinearEstimate {
  const { weight, rows, growth, spread } = sample;
  // Of many rows the spread is estimated from some of them; it is no less than that of equal weights.
  const ones = rows === 0 ? 0 : Math.max(spread[0], weight * (weight / rows - 1));
  // Rows of large weight bring most of the error: by so much more than 1 they weigh.
  const heavy = spread[0] === 0 ? 0 : Math.max(spread[1] / spread[0] - 1, ones / weight);
  const isMixed = heavy * weight > ones * mixedMin;
  const few = weight === 0 || isMixed ? 1 : Math.max(0, 1 - rows / ownRowsMin);
  const unseen = Math.max(heavy, few * around);
  // As if a row more were there that weighs what the heavy ones do, or those around.
  const perEvent = unseen === 0 ? 0 : (ones + unseen * (unseen + 1)) / (weight + unseen + 1);
  return {
    ...estimateTotal(sample, weight, ({ weight: own }) => own),
    variance: weight * perEvent * growth,
    df: Number.POSITIVE_INFINITY,
    // The interval of a count whose variance grows with it (a score interval).
    shift: (normal95 ** 2 * Math.max(perEvent, unseen)) / 2,
    third: 0,
  };
}

function estimateSum(sample: Sample, around: WeightsAround): LinearEstimate | NoBar {
  const { sum, weight, growth, spread } = sample;
  const [ones, , squares, cubes] = spread;
  const rows = effectiveRows({ rows: sample.rows, weight, ones }, around);
  if (rows === null) return "few-rows";
  const total = estimateTotal(sample, sum, (part) => part.sum);
  if (ones > 0 && momentsAbout(sum / weight, spread, ones).square === 0) {
    if (sum === 0) return "same-values";
    // Of equal values it errs as their count does.
    const shift = ((sum / weight) * normal95 ** 2 * ones) / (2 * weight);
    return { ...total, variance: squares * growth, df: Infinity, shift, third: 0 };
  }
  return {
    ...total,
    variance: squares * growth,
    df: Math.max(1, rows - 1),
    shift: 0,
    third: ones === 0 ? 0 : cubes * growth * (ones / weight),
  };
}

/** The part of an estimate that missing leaves make. */
function estimateTotal(
  sample: Sample,
  total: number,
  own: (part: Moments) => number,
): Pick<LinearEstimate, "value" | "leafErrors" | "tellingLeaves" | "leastMissing"> {
  const { parts, sizes, sizeOfAll, rows } = sample;
  const { answered, missing } = sizes;
  const { leafErrors, tellingLeaves } = errorsOfLeaves(
    parts.map((part, i) => own(part) - (total * answered[i]!) / sizeOfAll),
    sizes,
  );
  return {
    value: missing === 0 ? total : total + (total * missing) / sizeOfAll,
    leafErrors,
    tellingLeaves,
    leastMissing: rows === 0 ? 0 : (total / rows) * leastMissing(sample),
  };
}

/**
 * Few rows may be spread evenly by chance: by themselves they are a draw of so many out of all. Of many, what leaves
 * differ by is evidence enough, unless they agree by chance: the error is never taken to be less than one deviation of that draw.
 */
function leastMissing({ rows, sizes, sizeOfAll, growth }: Sample): number {
  const { answered, missing } = sizes;
  if (missing === 0) return 0;
  // Where all rows that answered belong to the group, or none does, some of the others may not, or may.
  const share = (Math.min(rows, sizeOfAll) + 1) / (sizeOfAll + 2);
  const deviation = Math.sqrt(share * (1 - share) * missing * growth);
  return rows < plentyRows * answered.length ? normal95 * deviation : deviation;
}

/** Reads a sender's part of one row; false where a sum is unknown. */
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

/** Reads the weights of what a number is made of; null where sample rates do not make it an estimate. */
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

/** How many rows of a sender stand behind a row of the result. */
export function rowsOf({ states, groups }: RowStates, row: number): number {
  const group = groups[row]!;
  // The first state of every query.
  return group < 0 ? 0 : countOf(states[0]!, group);
}
