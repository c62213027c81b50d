import type { FinishAggregate } from "../plan/finishPlan.js";
import { ownSizes, rowsOf } from "./estimateAggregate.js";
import {
  coarseWeightUpTo,
  percentileOf,
  rememberedIntervals,
  weightOf,
  weightUpTo,
} from "./histogramState.js";
import type { RowStates, ShownEvidence } from "./leafEvidence.js";
import { errorsOfLeaves, growthOf, interval95, type LinearEstimate } from "./linearEstimate.js";
import { spreadOf } from "./spreadState.js";

/** What saturated in a leaf's 32-bit squares may lack so little, as a share. */
const squaresLackMax = 1e-6;

type Interval = readonly [number, number];

/**
 * Between which values a percentile of the full answer lies 19 times of 20 (Woodruff), row by row: how far the
 * share of the weight below it may be off, turned back into values. Null where no leaf tells, or too few rows do.
 * `known`: the percentile of a row, where it has been found of just the states that stand behind the bars.
 */
export function createPercentileBounds(
  aggregate: FinishAggregate,
  evidence: ShownEvidence,
  sideIndex: number,
): (row: number, known: number | bigint | null) => Interval | null {
  const { value, decimals } = aggregate;
  if (value.kind !== "percentile") return () => null;
  const together = evidence.together[sideIndex]!;
  const column = together.states[value.stateIndex]!;
  const intervalOf = rememberedIntervals(column, decimals);
  return (row, known) => {
    const group = together.groups[row]!;
    if (group < 0) return null;
    const found = known ?? percentileOf(column, group, value.p);
    if (found === null) return null;
    const share = estimateShare(aggregate, evidence, sideIndex, row, Number(found));
    const bounds = share === null ? null : interval95(share);
    if (bounds === null) return null;
    // A share beyond the smallest or largest of the rows says nothing of what lies beyond them.
    const edge = 0.5 / rowsOf(together, row);
    if (bounds[0] < edge || bounds[1] > 1 - edge) return null;
    const low = percentileOf(column, group, bounds[0] * 100);
    const high = percentileOf(column, group, bounds[1] * 100);
    return low === null || high === null ? null : [intervalOf(low)[0], intervalOf(high)[1]];
  };
}

/** The share of the full answer's weight that lies at or below a value. */
function estimateShare(
  { value, spreadIndex }: FinishAggregate,
  { sizes, leaves, together }: ShownEvidence,
  sideIndex: number,
  row: number,
  at: number,
): LinearEstimate | null {
  if (value.kind !== "percentile") return null;
  const { stateIndex, squaresIndex } = value;
  const all = together[sideIndex]!;
  const parts = (sender: RowStates): readonly [below: number, weight: number] => {
    const column = sender.states[stateIndex]!;
    const group = sender.groups[row]!;
    return [weightUpTo(column, group, at), weightOf(column, group)];
  };
  const [below, weight] = parts(all);
  // The bucket of the percentile lies on both sides of it: shares count from where it is.
  const share = below / weight;
  const ofRow = sizes[sideIndex]![row]!;
  const growth = growthOf(ofRow);
  const squares =
    squaresIndex === null || spreadIndex === null
      ? { variance: 0, effectiveRows: weight }
      : sampledVariance(all, row, {
          stateIndex,
          squaresIndex,
          spreadIndex,
          at,
          share,
          below,
          weight,
        });
  if (squares === null) return null;
  const wholeWeight = weight * growth;
  const own = leaves[sideIndex]!.map((leaf) => {
    const [ownBelow, ownWeight] = parts(leaf);
    return { weight: ownWeight, residual: (ownBelow - share * ownWeight) / wholeWeight };
  });
  const residuals = own.map(({ residual }) => residual);
  // Property by property: to spread objects into one takes longer than all the rest.
  const { leafErrors, tellingLeaves } = errorsOfLeaves(residuals, ownSizes(own, weight, ofRow));
  const p = value.p / 100;
  return {
    value: p,
    leafErrors,
    tellingLeaves,
    variance: (squares.variance * growth) / (wholeWeight * wholeWeight),
    df: Math.max(1, squares.effectiveRows - 1),
    shift: 0,
    // One deviation of a draw row by row: leaves may agree by chance.
    leastMissing: Math.sqrt((p * (1 - p) * (growth - 1)) / (growth * weight)),
  };
}

/** Σ w(w−1)(1[x ≤ at] − share)². Null where weights are so large that their squares did not fit. */
function sampledVariance(
  { states, groups }: RowStates,
  row: number,
  known: {
    readonly stateIndex: number;
    readonly squaresIndex: number;
    readonly spreadIndex: number;
    readonly at: number;
    readonly share: number;
    readonly below: number;
    readonly weight: number;
  },
): { readonly variance: number; readonly effectiveRows: number } | null {
  const { at, share, below, weight } = known;
  const group = groups[row]!;
  const [q0] = spreadOf(states[known.spreadIndex]!, group);
  if (q0 === 0) return { variance: 0, effectiveRows: weight };
  const column = states[known.squaresIndex]!;
  const squares = weightOf(column, group);
  if (squares < (q0 + weight) * (1 - squaresLackMax)) return null;
  const squaresBelow = coarseWeightUpTo(states[known.stateIndex]!, column, group, at);
  const qBelow = Math.max(0, squaresBelow - below);
  const qAbove = Math.max(0, squares - weight - qBelow);
  const variance = (1 - share) ** 2 * qBelow + share ** 2 * qAbove;
  return { variance, effectiveRows: (weight * weight) / squares };
}
