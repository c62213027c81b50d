import type { Calculation } from "../../plan/query/calculation.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import {
  createEstimator,
  createReader,
  type EstimatedNumber,
  weightReader,
} from "../estimate/estimateAggregate.js";
import { aggregatesOfCalculation, estimateCalculation } from "../estimate/estimateCalculation.js";
import { createKnownCount } from "../estimate/knownCount.js";
import { interval95, type LinearEstimate, scaled } from "../estimate/linearEstimate.js";
import type { NoBar } from "../estimate/noBar.js";
import { estimateRatio, estimateShare } from "../estimate/ratioEstimate.js";
import {
  createWeightsAround,
  noWeightsAround,
  type WeightsAround,
} from "../estimate/weightsAround.js";
import { aggregateKindOf } from "../function/aggregateKinds.js";
import { coveredTime } from "../key/coverage.js";
import { type ColumnContext, createFactor } from "./intervalContext.js";

/** What the full answer is likely to be, of a joined group at its place in the result. */
export type SideEstimator = (group: number, row: number) => LinearEstimate | NoBar;

/** The estimate of one side as the column shows it: as a rate, with its decimal point. Null: no row has one. */
export function createSideEstimator(
  context: ColumnContext,
  sideIndex: number,
): SideEstimator | null {
  const { value } = context.aggregate;
  if (value.kind === "calculated") {
    return createCalculatedEstimator(context, value.calculation, sideIndex);
  }
  const number = estimatedNumber(context.aggregate);
  if (number === null) return null;
  const around = weightsAround(number, context, sideIndex);
  const estimate = createEstimator(number, context.behind, sideIndex, around);
  const known = createKnown(number, context, sideIndex);
  const factorOf = createFactor(context, sideIndex);
  return (group, row) => {
    const factor = factorOf(group);
    if (factor === null) return "unknown";
    const estimated = known?.(row) ?? estimate(row);
    return typeof estimated === "string" ? estimated : scaled(estimated, factor);
  };
}

/** Null of kinds whose error is not estimated so. */
function estimatedNumber({ value, spreadIndex }: FinishAggregate): EstimatedNumber | null {
  const as = aggregateKindOf(value)?.estimatedAs;
  return as === undefined ? null : { as, stateIndex: value.stateIndex, spreadIndex };
}

function createKnown(
  number: EstimatedNumber,
  { resolved, behind, joined, shown }: ColumnContext,
  sideIndex: number,
): ((row: number) => LinearEstimate | null) | null {
  const timeOf = coveredTime(resolved, sideIndex, joined);
  return createKnownCount(number, resolved, behind, {
    sideIndex,
    timeOf: (row) => timeOf(shown[row]!),
  });
}

function weightsAround(
  number: EstimatedNumber,
  { merged, behind }: ColumnContext,
  sideIndex: number,
): WeightsAround {
  const reader = weightReader(number);
  if (reader === null) return noWeightsAround;
  return createWeightsAround(merged.sides, behind.together, sideIndex, reader);
}

/** Of a calculated column, from the estimates of what it is made of. */
function createCalculatedEstimator(
  context: ColumnContext,
  calculation: Calculation,
  sideIndex: number,
): SideEstimator | null {
  const contextOf = (index: number): ColumnContext => ({
    ...context,
    ...{ index, aggregate: context.aggregates[index]! },
  });
  const estimators = new Map<number, SideEstimator>();
  for (const index of aggregatesOfCalculation(calculation)) {
    const estimator = createSideEstimator(contextOf(index), sideIndex);
    if (estimator === null) return null;
    estimators.set(index, estimator);
  }
  const ratios = new Map<string, RatioEstimator | null>();
  const ratioOfPair = (above: number, below: number): RatioEstimator | null => {
    const key = `${above}/${below}`;
    let ratio = ratios.get(key);
    if (ratio === undefined) {
      ratio = createRatioEstimator(contextOf(above), contextOf(below), sideIndex);
      ratios.set(key, ratio);
    }
    return ratio;
  };
  const errorOf = (estimate: LinearEstimate): number | null => {
    const bar = interval95(estimate);
    return bar === null ? null : (bar[1] - bar[0]) / 2;
  };
  return (group, row) =>
    estimateCalculation(calculation, {
      estimateOf: (index) => estimators.get(index)!(group, row),
      ratioOf: (above, below) => ratioOfPair(above, below)?.(group, row) ?? null,
      errorOf,
    });
}

type RatioEstimator = (group: number, row: number) => LinearEstimate | NoBar | null;

/**
 * A count of rows with a value over that of all rows, or a sum over a count of its rows or of all: the error that sample
 * rates bring to both together is known. Null of other pairs.
 */
function createRatioEstimator(
  above: ColumnContext,
  below: ColumnContext,
  sideIndex: number,
): RatioEstimator | null {
  const [part, whole] = [estimatedNumber(above.aggregate), estimatedNumber(below.aggregate)];
  if (part === null || whole === null || !isPartOver(part, whole, above.resolved)) return null;
  const readSum = createReader(part, above.behind, sideIndex);
  const readWeight = createReader(whole, below.behind, sideIndex);
  const [ownFactor, otherFactor] = [createFactor(above, sideIndex), createFactor(below, sideIndex)];
  const around = weightsAround(whole, below, sideIndex);
  const isShare = part.as === "count";
  return (group, row) => {
    const [own, all] = [readSum(row), readWeight(row)];
    const [factor, other] = [ownFactor(group), otherFactor(group)];
    if (own === "unknown" || all === "unknown" || factor === null || other === null) {
      return "unknown";
    }
    const { weight, spread } = all;
    if (weight === 0) return "unknown";
    // No row stands for others: each of the two is exact by itself.
    if (spread[0] === 0) return null;
    const ratio = {
      sum: own.sum,
      weight,
      spread: own.spread,
      ones: spread[0],
      sizes: own.sizes,
      rows: all.rows,
      parts: own.parts.map(({ sum }, i) => ({ sum, weight: all.parts[i]!.weight })),
    };
    const estimate = isShare ? estimateShare(ratio) : estimateRatio(ratio, around);
    return typeof estimate === "string" ? estimate : scaled(estimate, factor / other);
  };
}

/** Whether the rows of the first are among those of the second, which counts them. */
function isPartOver(
  above: EstimatedNumber,
  below: EstimatedNumber,
  { states }: ColumnContext["resolved"],
): boolean {
  if (above.as === "average" || below.as !== "count") return false;
  const [own, other] = [columnOfSpread(above, states), columnOfSpread(below, states)];
  return own !== undefined && own !== null && (other === null || other === own);
}

/** The column whose rows count, null where all do; undefined where sample rates do not matter. */
function columnOfSpread(
  { spreadIndex }: EstimatedNumber,
  states: readonly StateSpec[],
): string | null | undefined {
  const spec = spreadIndex === null ? undefined : states[spreadIndex];
  return spec?.kind === "spread" ? spec.column : undefined;
}
