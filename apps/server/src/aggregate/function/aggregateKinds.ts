import type { AggregateFunction, AggregateFunctions } from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { AggregateKind } from "./aggregateKind.js";
import { average, averageKind } from "./average.js";
import { count, countKind, rawCount } from "./count.js";
import { distinct, distinctKind } from "./distinct.js";
import { extremeKind, extremeTextKind, max, min } from "./extreme.js";
import { histogram, histogramKind } from "./histogram.js";
import type { OwnAggregate } from "./ownAggregate.js";
import { percentile, percentileKind } from "./percentile.js";
import { populationDeviation, standardDeviation } from "./standardDeviation.js";
import { sum, sumKind } from "./sum.js";
import { userFunctionKind } from "./userFunction.js";
import { populationVariance, variance } from "./variance.js";

/** The registry: what each function of the SDK is resolved to, and how it is finished if in a way of its own. */
export const aggregateFunctions = {
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
} satisfies AggregateFunctions;

/** Numbers that several functions may be finished as. */
type SharedValue = Exclude<FinishValue, { readonly kind: "calculated" | "own" }>;

type Kinds = {
  readonly [Kind in SharedValue["kind"]]: AggregateKind<Extract<SharedValue, { kind: Kind }>>;
};

/** The registry: how these are finished. */
const aggregateKinds: Kinds = {
  count: countKind,
  sum: sumKind,
  average: averageKind,
  extreme: extremeKind,
  text: extremeTextKind,
  percentile: percentileKind,
  histogram: histogramKind,
  distinct: distinctKind,
  function: userFunctionKind,
};

/** Null of what is calculated from other numbers. */
export function aggregateKindOf(value: FinishValue): AggregateKind | null {
  if (value.kind === "calculated") return null;
  // Each entry takes the values of its own kind alone.
  if (value.kind !== "own") return aggregateKinds[value.kind] as AggregateKind;
  const fn: AggregateFunction & Partial<OwnAggregate> = aggregateFunctions[value.fn];
  if (fn.own === undefined) throw new Error(`${value.fn} has no way of its own to be finished`);
  return fn.own as AggregateKind;
}
