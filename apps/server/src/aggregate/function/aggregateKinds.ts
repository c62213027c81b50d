import type { AggregateFunctions } from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { AggregateKind } from "./aggregateKind.js";
import { average, averageKind } from "./average.js";
import { count, countKind, rawCount } from "./count.js";
import {
  deviationKind,
  populationDeviation,
  populationVariance,
  standardDeviation,
  variance,
} from "./deviation.js";
import { distinct, distinctKind } from "./distinct.js";
import { extremeKind, extremeTextKind, max, min } from "./extreme.js";
import { histogram, histogramKind } from "./histogram.js";
import { percentile, percentileKind } from "./percentile.js";
import { sum, sumKind } from "./sum.js";
import { userFunctionKind } from "./userFunction.js";

/** The registry: what each function of the SDK is resolved to. */
export const aggregateFunctions: AggregateFunctions = {
  count,
  "count.raw": rawCount,
  sum,
  avg: average,
  min,
  max,
  percentile,
  histogram,
  stddev: standardDeviation,
  stddev_pop: populationDeviation,
  var_samp: variance,
  var_pop: populationVariance,
  distinct,
};

/** Made of other numbers by {@link createCalculator}, not of states. */
export type StatedValue = Exclude<FinishValue, { readonly kind: "calculated" }>;

type Kinds = {
  readonly [Kind in StatedValue["kind"]]: AggregateKind<Extract<StatedValue, { kind: Kind }>>;
};

/** The registry: how numbers of each kind are finished. */
const aggregateKinds: Kinds = {
  count: countKind,
  sum: sumKind,
  average: averageKind,
  extreme: extremeKind,
  text: extremeTextKind,
  percentile: percentileKind,
  histogram: histogramKind,
  deviation: deviationKind,
  distinct: distinctKind,
  function: userFunctionKind,
};

/** Null of what is calculated from other numbers. */
export function aggregateKindOf(value: StatedValue): AggregateKind;
export function aggregateKindOf(value: FinishValue): AggregateKind | null;
export function aggregateKindOf(value: FinishValue): AggregateKind | null {
  if (value.kind === "calculated") return null;
  // Each entry takes the values of its own kind alone.
  return aggregateKinds[value.kind] as AggregateKind;
}
