import type { PartialSide, StateColumn } from "../partial/partialResult.js";
import { countOf } from "../state/countState.js";
import type { RowStates } from "./leafEvidence.js";

/** Groups of a side whose weights are read; more would not change the average much. */
const groupsMax = 10_000;
/** With fewer rows a group may by chance have one weight although other groups have several. */
const ownRowsMin = 10;
/** Weights count as mixed if the rows are this many times their effective sample size. */
const mixedMin = 1.1;

/** Sample weights of rows near a result row. Used when its group has too few rows to estimate its own. */
export interface WeightsAround {
  /** Mean weight of an event, minus 1. */
  excessOf(row: number): number;
  /** Rows ÷ effective sample size (Kish's design effect), averaged over all groups. */
  readonly mixing: number;
}

export const noWeightsAround: WeightsAround = { excessOf: () => 0, mixing: 1 };

/** Σ w of a group, and Σ w(w−1). */
export interface WeightReader {
  weightOf(states: readonly StateColumn[], group: number): number;
  onesOf(states: readonly StateColumn[], group: number): number;
}

/** Uses the whole side, the same group on the other side, or all of the other side if this one is empty. */
export function createWeightsAround(
  sides: readonly PartialSide[],
  shown: readonly RowStates[],
  sideIndex: number,
  reader: WeightReader,
): WeightsAround {
  const [own, other] = sides.length > 1 ? [sides[sideIndex]!, sides[1 - sideIndex]!] : [sides[0]!];
  const around = totalsOf(own, reader) ?? (other === undefined ? null : totalsOf(other, reader));
  if (around === null) return noWeightsAround;
  const facing = shown.length > 1 ? shown[1 - sideIndex]! : null;
  return {
    mixing: around.mixing,
    excessOf(row) {
      const group = facing?.groups[row] ?? -1;
      if (facing === null || group < 0) return around.excess;
      const weight = reader.weightOf(facing.states, group);
      return weight === 0
        ? around.excess
        : Math.max(around.excess, reader.onesOf(facing.states, group) / weight);
    },
  };
}

/** Null without rows. */
function totalsOf(
  { groupCount, states }: PartialSide,
  reader: WeightReader,
): { readonly excess: number; readonly mixing: number } | null {
  let [ones, weight, rows, mixed] = [0, 0, 0, 0];
  for (let group = 0; group < Math.min(groupCount, groupsMax); group++) {
    const ownWeight = reader.weightOf(states, group);
    if (ownWeight === 0) continue;
    const ownOnes = reader.onesOf(states, group);
    // The first state of every query.
    const ownRows = countOf(states[0]!, group);
    ones += ownOnes;
    weight += ownWeight;
    rows += ownRows;
    mixed += ownRows * mixingOf(ownRows, ownWeight, ownOnes);
  }
  return weight === 0 ? null : { excess: ones / weight, mixing: mixed / rows };
}

/** Rows ÷ effective sample size (Kish's design effect): 1 if all weights are equal. */
const mixingOf = (rows: number, weight: number, ones: number): number =>
  Math.max(1, (rows * (ones + weight)) / (weight * weight));

/**
 * The design effect of a group; if its rows have several weights or are too few, at least the average of other groups.
 */
export function mixingOfGroup(
  { rows, weight, ones }: { readonly rows: number; readonly weight: number; readonly ones: number },
  around: WeightsAround,
): number {
  const own = mixingOf(rows, weight, ones);
  return own > mixedMin || rows < ownRowsMin ? Math.max(own, around.mixing) : own;
}

export const isMixed = (mixing: number): boolean => mixing > mixedMin;
