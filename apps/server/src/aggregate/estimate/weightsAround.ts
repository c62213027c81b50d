import type { PartialSide, StateColumn } from "../partial/partialResult.js";
import { countOf } from "../state/countState.js";
import type { RowStates } from "./leafEvidence.js";

/** Groups of a side whose weights are read: more would say the same. */
const groupsMax = 10_000;
/** Fewer rows than these may by chance be of one weight where those of other groups are of several. */
const ownRowsMin = 10;
/** The weights of rows are mixed where as many rows of equal weight would be worth so much more. */
const mixedMin = 1.1;

/** What the rows around those of a row of the result weigh: events of a group of which few rows or none were kept may have been sampled as these were. */
export interface WeightsAround {
  /** By how much more than 1 an event weighs, on average. */
  excessOf(row: number): number;
  /** How many rows of a group are worth one of equal weight, on average of all groups. */
  readonly mixing: number;
}

export const noWeightsAround: WeightsAround = { excessOf: () => 0, mixing: 1 };

/** Σ w of a group, and Σ w(w−1). */
export interface WeightReader {
  weightOf(states: readonly StateColumn[], group: number): number;
  onesOf(states: readonly StateColumn[], group: number): number;
}

/** Those of the whole side, of the same group on the other side, or where a side is empty of all of the other. */
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

/** Null where there are no rows. */
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

/** How many rows are worth one of equal weight (Kish's design effect): 1 where all weigh the same. */
const mixingOf = (rows: number, weight: number, ones: number): number =>
  Math.max(1, (rows * (ones + weight)) / (weight * weight));

/**
 * By how much equal weights would be worth more than those of a group: at least by as much as in other groups, where its
 * own rows are of several weights or too few.
 */
export function mixingOfGroup(
  { rows, weight, ones }: { readonly rows: number; readonly weight: number; readonly ones: number },
  around: WeightsAround,
): number {
  const own = mixingOf(rows, weight, ones);
  return own > mixedMin || rows < ownRowsMin ? Math.max(own, around.mixing) : own;
}

export const isMixed = (mixing: number): boolean => mixing > mixedMin;
