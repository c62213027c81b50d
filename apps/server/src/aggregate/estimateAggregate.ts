import type { FinishAggregate } from "../plan/finishPlan.js";
import { countOf } from "./countState.js";
import type { RowStates, ShownEvidence } from "./leafEvidence.js";
import { errorsOfLeaves, growthOf, type LeafSizes, type LinearEstimate } from "./linearEstimate.js";
import { spreadOf } from "./spreadState.js";
import { columnOf } from "./stateKind.js";
import { normal95 } from "./studentT.js";
import { floatSumOf } from "./sumState.js";

/** With so many rows of a group on each leaf, what leaves differ by tells enough by itself. */
const plentyRows = 5;
/** Fewer rows than these, as many of equal weight, tell nothing of how far values spread. */
const spreadRowsMin = 5;

/** What one sender says of a row of the result: the weight of its rows, and the sum. Read into, for there are many. */
interface Moments {
  weight: number;
  sum: number;
}

/** What the full answer is likely to be, of the number of one row; null where nothing honest can be said. */
export type Estimator = (row: number) => LinearEstimate | null;

/**
 * Estimates a number on one side; null where no row's can be: extremes, distinct values and deviations.
 * Of the others a row has none where too few of its rows tell.
 */
export function createEstimator(
  { value, spreadIndex }: FinishAggregate,
  { sizes: sizesOfSides, together, leaves }: ShownEvidence,
  sideIndex: number,
): Estimator | null {
  const { kind, stateIndex } = value;
  if (kind !== "count" && kind !== "sum" && kind !== "average") return null;
  const all = together[sideIndex]!;
  const read = momentsReader(kind, stateIndex);
  const senders = leaves[sideIndex]!;
  const sizesOfRows = sizesOfSides[sideIndex]!;
  const spreads = spreadIndex === null ? null : all.states[spreadIndex]!;
  const found: Moments = { weight: 0, sum: 0 };
  return (row) => {
    const rows = rowsOf(all, row);
    if (rows === 0 || !read(all, row, found) || found.weight === 0) return null;
    const { weight, sum } = found;
    const parts: Moments[] = [];
    for (const sender of senders) {
      const part: Moments = { weight: 0, sum: 0 };
      if (!read(sender, row, part)) return null;
      parts.push(part);
    }
    const sizes = sizesOfRows[row]!;
    const sizeOfAll = sizes.answered.reduce((sum, rows) => sum + rows, 0);
    const growth = growthOf(sizes);
    const spread = spreads === null ? noSpread : spreadOf(spreads, all.groups[row]!);
    // Property by property, here and below: to spread objects into one takes longer than all the rest.
    const sample: Sample = { weight, sum, parts, spread, rows, sizes, sizeOfAll, growth };
    return kind === "average" ? estimateMean(sample) : estimateTotal(sample, kind === "sum");
  };
}

const noSpread = [0, 0, 0] as const;

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
  readonly spread: readonly [number, number, number];
  /** Rows of the group. */
  readonly rows: number;
}

function estimateTotal(sample: Sample, ofSum: boolean): LinearEstimate {
  const { weight, sum, parts, sizes, sizeOfAll, growth, spread } = sample;
  const { answered, missing } = sizes;
  const total = ofSum ? sum : weight;
  const [q0, , q2] = spread;
  const { leafErrors, tellingLeaves } = errorsOfLeaves(
    parts.map((part, i) => (ofSum ? part.sum : part.weight) - (total * answered[i]!) / sizeOfAll),
    sizes,
  );
  return {
    value: missing === 0 ? total : total + (total * missing) / sizeOfAll,
    leafErrors,
    tellingLeaves,
    variance: (ofSum ? q2 : q0) * growth,
    df: Number.POSITIVE_INFINITY,
    // The interval of a count whose variance grows with it (a score interval); a sum errs with its count.
    shift: ((ofSum ? sum / weight : 1) * normal95 ** 2 * q0) / (2 * weight),
    leastMissing: (total / sample.rows) * leastMissing(sample),
  };
}

function estimateMean({
  weight,
  sum,
  parts,
  sizes,
  growth,
  spread,
}: Sample): LinearEstimate | null {
  const mean = sum / weight;
  const [q0, q1, q2] = spread;
  // As many rows of equal weight would tell as much (Kish).
  const effectiveRows = (weight * weight) / (q0 + weight);
  if (q0 > 0 && effectiveRows < spreadRowsMin) return null;
  // Of large values close to one another rounding leaves no more than this.
  const rounding = 1e-14 * mean * mean * q0;
  const spreadOfMean = Math.max(q2 - 2 * mean * q1 + mean * mean * q0, rounding);
  const wholeWeight = weight * growth;
  const residuals = parts.map((part) => (part.sum - mean * part.weight) / wholeWeight);
  const variance = (spreadOfMean * growth) / (wholeWeight * wholeWeight);
  const { leafErrors, tellingLeaves } = errorsOfLeaves(residuals, ownSizes(parts, weight, sizes));
  return {
    value: mean,
    leafErrors,
    tellingLeaves,
    variance,
    df: Math.max(1, effectiveRows - 1),
    shift: 0,
    leastMissing: 0,
  };
}

/** The sizes of leaves in the rows of one group: one that has none of them does not tell how leaves differ in it. */
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

/**
 * Few rows may be spread evenly by chance: by themselves they are a draw of so many out of all. Of many, what leaves
 * differ by tells enough, unless they agree by chance: the error is never taken to be less than one deviation of that draw.
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
function momentsReader(
  kind: "count" | "sum" | "average",
  stateIndex: number,
): (sender: RowStates, row: number, into: Moments) => boolean {
  if (kind === "count") {
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

/** How many rows of a sender stand behind a row of the result. */
export function rowsOf({ states, groups }: RowStates, row: number): number {
  const group = groups[row]!;
  // The first state of every query.
  return group < 0 ? 0 : countOf(states[0]!, group);
}
