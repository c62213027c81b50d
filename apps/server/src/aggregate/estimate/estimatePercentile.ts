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
import type { RowStates, ShownEvidence } from "./leafEvidence.js";
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

/** Squares of weights that add up to less than this share of what they should did not fit the leaf's 32 bits. */
const squaresShareMin = 0.75;
/** With fewer rows on either side of a percentile their own weights say little of how far it may be off. */
const sideRowsMin = 5;
/** A single integer that so many rows have is no place between others: a bar could only be that integer. */
const repeatedShareMin = 0.05;
/** Where weights are mixed, rows that have to lie beyond a percentile that is far out, as many of equal weight. */
const mixedEndMin = 10;
const mixedMiddleMin = 2;

type Interval = readonly [number, number];

/** Of one row: its interval; that it is exact but for its bucket; or why there is none. */
export type SketchBounds = Interval | "exact" | NoBar;

/**
 * Between which values a percentile of the full answer lies 19 times of 20, row by row: the effective number of rows
 * are a draw from all, of which those below it are binomial (Woodruff; Korn and Graubard). `known`: the percentile of a
 * row, where it has been found of just the states that stand behind the bars.
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

/** Within a bucket values are taken to lie evenly, where they seem to: half a row more or less, outwards. */
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

/** The effective number of rows, of equal weight, behind the percentile; infinite where nothing errs, null where no leaf is evidence. */
function effectiveRows(
  { aggregate, evidence, sideIndex, around }: PercentileContext,
  row: number,
  at: number,
): number | null {
  const { sizes: sizesOfSides, leaves, together } = evidence;
  const { value } = aggregate;
  if (value.kind !== "percentile") return null;
  const all = together[sideIndex]!;
  const sizes = sizesOfSides[sideIndex]![row]!;
  const column = all.states[value.stateIndex]!;
  const share = value.p / 100;
  const sampled = sampledRows(aggregate, all, around, row, at);
  if (sizes.missing === 0) return sampled;
  const growth = growthOf(sizes);
  const weight = weightOf(column, all.groups[row]!);
  // The bucket of the percentile lies on both sides of it: shares count from where it is.
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
    // One deviation of a draw row by row: leaves may agree by chance.
    leastMissing: Math.sqrt((scatter * (growth - 1)) / (growth * weight)),
  });
  return variance === null ? null : scatter / variance;
}

/** The same as far as sample rates are concerned: share(1 − share) ÷ the variance that they bring to the share. */
function sampledRows(
  { value, spreadIndex }: FinishAggregate,
  { states, groups }: RowStates,
  around: WeightsAround,
  row: number,
  at: number,
): number {
  if (value.kind !== "percentile") return Number.POSITIVE_INFINITY;
  const { stateIndex, squaresIndex, p } = value;
  if (squaresIndex === null || spreadIndex === null) return Number.POSITIVE_INFINITY;
  const group = groups[row]!;
  const share = p / 100;
  const weight = weightOf(states[stateIndex]!, group);
  const squares = weightOf(states[squaresIndex]!, group);
  // Of many rows of one group this is estimated from some of them.
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
 * Where weights are mixed, heavy rows beyond a percentile far out are seldom there, and nothing shows that they are
 * not: the smaller end has to have more rows, and their number is itself uncertain (Student's t). `usual`: what so many
 * rows tell on average.
 */
function rowsOfMixed(effective: number, usual: number, share: number): number {
  const skew = Math.abs(1 - 2 * share);
  const end = usual * Math.min(share, 1 - share);
  if (end < Math.max(mixedMiddleMin, mixedEndMin * skew)) return 0;
  const lost = 1 - (normal95 / studentT95(Math.max(1, end))) ** 2;
  return effective * (1 - skew * lost);
}

/** The weights of a percentile's rows, as its histograms have them. */
function weightReader({ value }: FinishAggregate): WeightReader | null {
  if (value.kind !== "percentile" || value.squaresIndex === null) return null;
  const { stateIndex, squaresIndex } = value;
  return {
    weightOf: (states, group) => weightOf(states[stateIndex]!, group),
    onesOf: (states, group) =>
      Math.max(0, weightOf(states[squaresIndex]!, group) - weightOf(states[stateIndex]!, group)),
  };
}
