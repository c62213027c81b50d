import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { PartialSide } from "../partial/partialResult.js";
import {
  coarseWeightUpTo,
  placeOfShare,
  rememberedIntervals,
  type ValuePlace,
  weightOf,
  weightUpTo,
} from "../state/histogram/histogramState.js";
import { intervalWithin, percentileWithin } from "../state/histogram/percentileWithin.js";
import { spreadOf } from "../state/spreadState.js";
import { rememberedBounds } from "./binomialBounds.js";
import { rowsOf } from "./estimateAggregate.js";
import type { ShownEvidence } from "./leafEvidence.js";
import { errorsOfLeaves, growthOf, ownSizes, varianceOf95 } from "./linearEstimate.js";
import type { NoBar } from "./noBar.js";
import { normal95, studentT95 } from "./studentT.js";
import {
  createWeightsAround,
  isMixed,
  mixingOfGroup,
  noWeightsAround,
  type WeightReader,
  type WeightsAround,
} from "./weightsAround.js";

/** Squares of weights below this share of the expected sum have overflown the leaf's 32 bits. */
const squaresShareMin = 0.75;
/** With fewer rows on a side of the percentile, their own weights are no reliable evidence of its error. */
const sideRowsMin = 5;
/** If more than this share of the rows has one integer value, a bar could only be that integer. */
const repeatedShareMin = 0.05;
/** With mixed weights: minimum effective rows beyond an extreme percentile. */
const mixedEndMin = 10;
const mixedMiddleMin = 2;

type Interval = readonly [number, number];

/** Of one row: its interval; exact within its bucket; or why there is none. */
export type SketchBounds = Interval | "exact" | NoBar;

/**
 * The 95 % confidence interval of a percentile, per row: of the effective number of rows the number below it is binomial
 * (Woodruff; Korn and Graubard). `known`: the percentile of a row, if it was already computed from the same states as the
 * bars.
 */
export function createPercentileBounds(
  aggregate: FinishAggregate,
  evidence: ShownEvidence,
  sideIndex: number,
  sides: readonly PartialSide[],
): (row: number, known: number | bigint | null) => SketchBounds {
  const { value, decimals } = aggregate;
  if (value.kind !== "percentile") return () => "unknown";
  const together = evidence.together[sideIndex]!;
  const column = together.states[value.stateIndex]!;
  const boundsOf = rememberedBounds(value.p / 100);
  const reader = weightReader(aggregate);
  const around =
    reader === null
      ? noWeightsAround
      : createWeightsAround(sides, evidence.together, sideIndex, reader);
  const intervalOf = rememberedIntervals(column, decimals);
  const scale = 10 ** decimals;
  return (row, known) => {
    const group = together.groups[row]!;
    if (group < 0) return "unknown";
    const found = known ?? percentileWithin(value, together, group);
    if (found === null) return "unknown";
    const rows = effectiveRows({ aggregate, evidence, sideIndex, around }, row, Number(found));
    if (rows === null) return "unknown";
    if (rows === Number.POSITIVE_INFINITY) return "exact";
    const bounds = boundsOf(rows);
    if (bounds === null) return "beyond-rows";
    const [low, high] = bounds.map((share) => placeOfShare(column, group, share)) as [
      ValuePlace,
      ValuePlace,
    ];
    if (isRepeated(low, rows) || isRepeated(high, rows)) return "same-values";
    const least = lowEnd(low, rows) / scale;
    const most = highEnd(high, rows) / scale;
    const own = placeOfShare(column, group, value.p / 100).isEven ? null : intervalOf(found);
    const shown = Number(found) / scale;
    const bar = [Math.min(least, own?.[0] ?? shown), Math.max(most, own?.[1] ?? shown)] as const;
    return intervalWithin(bar, value, together, { group, decimals });
  };
}

const isRepeated = ({ low, high, share }: ValuePlace, rows: number): boolean =>
  high - low <= 1 && share > repeatedShareMin && share * rows > 1.5;

/** If values seem evenly spread within a bucket, the end is interpolated, half a row outwards; else it is the bucket's. */
function lowEnd({ low, high, isEven, below, share }: ValuePlace, rows: number): number {
  return isEven ? low + Math.floor((high - low) * Math.max(0, below - 0.5 / rows / share)) : low;
}

function highEnd({ low, high, isEven, below, share }: ValuePlace, rows: number): number {
  const part = isEven ? Math.min(1, below + 0.5 / rows / share) : 1;
  return Math.max(low, low + Math.ceil((high - low) * part) - 1);
}

interface PercentileContext {
  readonly aggregate: FinishAggregate;
  readonly evidence: ShownEvidence;
  readonly sideIndex: number;
  readonly around: WeightsAround;
}

/** The effective sample size of the percentile; infinite without any error, null if no leaf is evidence. */
function effectiveRows(context: PercentileContext, row: number, at: number): number | null {
  const { aggregate, evidence, sideIndex } = context;
  const { sizes: sizesOfSides, leaves, together } = evidence;
  const { value } = aggregate;
  if (value.kind !== "percentile") return null;
  const all = together[sideIndex]!;
  const sizes = sizesOfSides[sideIndex]![row]!;
  const column = all.states[value.stateIndex]!;
  const share = value.p / 100;
  const sampled = sampledRows(context, row, at);
  if (sizes.missing === 0) return sampled;
  const growth = growthOf(sizes);
  const weight = weightOf(column, all.groups[row]!);
  // The bucket lies on both sides of the percentile: shares count up to its position.
  const ownShare = weightUpTo(column, all.groups[row]!, at) / weight;
  const parts = leaves[sideIndex]!.map(({ states, groups }) => {
    const own = states[value.stateIndex]!;
    const ofLeaf = weightOf(own, groups[row]!);
    const below = weightUpTo(own, groups[row]!, at);
    return { weight: ofLeaf, residual: (below - ownShare * ofLeaf) / (weight * growth) };
  });
  const residuals = parts.map(({ residual }) => residual);
  const scatter = share * (1 - share);
  const variance = varianceOf95({
    value: share,
    ...errorsOfLeaves(residuals, ownSizes(parts, weight, sizes)),
    variance: scatter / sampled / growth,
    df: Math.max(1, sampled - 1),
    shift: 0,
    third: 0,
    // One deviation of a random draw of rows: leaves may agree by chance.
    leastMissing: Math.sqrt((scatter * (growth - 1)) / (growth * weight)),
  });
  return variance === null ? null : scatter / variance;
}

/** The same for sample rates alone: share(1 − share) ÷ the variance of the share that they cause. */
function sampledRows(
  { aggregate, evidence, sideIndex, around }: PercentileContext,
  row: number,
  at: number,
): number {
  const { value, spreadIndex } = aggregate;
  const { states, groups } = evidence.together[sideIndex]!;
  if (value.kind !== "percentile") return Number.POSITIVE_INFINITY;
  const { stateIndex, squaresIndex, p } = value;
  if (squaresIndex === null || spreadIndex === null) return Number.POSITIVE_INFINITY;
  const group = groups[row]!;
  const share = p / 100;
  const weight = weightOf(states[stateIndex]!, group);
  const squares = weightOf(states[squaresIndex]!, group);
  // For many rows of one group this is estimated from some of them.
  const [ones] = spreadOf(states[spreadIndex]!, group);
  const excess = Math.max(0, squares - weight);
  if (excess < squaresShareMin * ones) return (weight * weight) / ones;
  if (excess === 0) return Number.POSITIVE_INFINITY;
  const all = (weight * weight) / excess;
  const below = weightUpTo(states[stateIndex]!, group, at);
  const squaresBelow = coarseWeightUpTo(states[stateIndex]!, states[squaresIndex]!, group, at);
  const excessBelow = Math.min(excess, Math.max(0, squaresBelow - below));
  const variance = (1 - share) ** 2 * excessBelow + share ** 2 * (excess - excessBelow);
  const own = (share * (1 - share) * weight * weight) / variance;
  const above = weight - below;
  const hasEnoughBelow = below ** 2 >= sideRowsMin * squaresBelow;
  const hasEnoughAbove = above ** 2 >= sideRowsMin * (squares - squaresBelow) && above > 0;
  const effective = hasEnoughBelow && hasEnoughAbove ? own : Math.min(own, all);
  const rows = rowsOf({ states, groups }, row);
  const mixing = mixingOfGroup({ rows, weight, ones: excess }, around);
  return isMixed(mixing) ? rowsOfMixed(effective, rows / mixing, share) : effective;
}

/**
 * With mixed weights, heavy rows beyond an extreme percentile are often missing unnoticed. So the smaller end needs more rows,
 * and their number is itself uncertain (Student's t). `usual`: the effective sample size on average.
 */
function rowsOfMixed(effective: number, usual: number, share: number): number {
  const skew = Math.abs(1 - 2 * share);
  const end = usual * Math.min(share, 1 - share);
  if (end < Math.max(mixedMiddleMin, mixedEndMin * skew)) return 0;
  const lost = 1 - (normal95 / studentT95(Math.max(1, end))) ** 2;
  return effective * (1 - skew * lost);
}

/** Reads the weights of a percentile's rows from its histograms. */
function weightReader({ value }: FinishAggregate): WeightReader | null {
  if (value.kind !== "percentile" || value.squaresIndex === null) return null;
  const { stateIndex, squaresIndex } = value;
  return {
    weightOf: (states, group) => weightOf(states[stateIndex]!, group),
    onesOf: (states, group) =>
      Math.max(0, weightOf(states[squaresIndex]!, group) - weightOf(states[stateIndex]!, group)),
  };
}
