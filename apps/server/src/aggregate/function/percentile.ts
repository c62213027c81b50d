import { HadalError, sampleRateColumn } from "@hadal/sdk";
import {
  type AggregateFunction,
  type AggregateRequest,
  exactColumn,
  intColumn,
  rankByValue,
  stateOf,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import { createPercentileBounds } from "../estimate/estimatePercentile.js";
import { rememberedIntervals } from "../state/histogram/histogramState.js";
import { intervalWithin, percentileWithin } from "../state/histogram/percentileWithin.js";
import type { AggregateKind } from "./aggregateKind.js";

type PercentileValue = Extract<FinishValue, { readonly kind: "percentile" }>;

/** From the buckets of a histogram, within the smallest and the largest value. */
export const percentileKind: AggregateKind<PercentileValue> = {
  absent: null,
  finish: (value, states, group) => percentileWithin(value, { states }, group),
  isSlow: true,
  intervals(value, states, decimals) {
    const bucketOf = rememberedIntervals(states[value.stateIndex]!, decimals);
    return (group, scaled) =>
      intervalWithin(bucketOf(scaled), value, { states }, { group, decimals });
  },
  bounds: createPercentileBounds,
};

export const percentile: AggregateFunction = {
  resolve(request) {
    const { name, table, states } = request;
    const column = intColumn(request);
    const stateIndex = states.indexOf(stateOf("histogram", column));
    const minIndex = states.indexOf(stateOf("min", column));
    const maxIndex = states.indexOf(stateOf("max", column));
    const squares = squaresOf(column, table);
    const value = {
      ...({ kind: "percentile", stateIndex, p: percentOf(request), minIndex, maxIndex } as const),
      squaresIndex: squares === null ? null : states.indexOf(squares),
    };
    const described = { name, value, rankBy: rankByValue(value) };
    return exactColumn(described, column, { isOneOfTheValues: true });
  },
  sampledBy: "rows",
};

/** The histogram of the squares of weights, for the error; null where no row has a sample rate. */
function squaresOf({ name, decimals }: SchemaColumn, table: TableSchema): StateSpec | null {
  if (!table.columns.has(sampleRateColumn)) return null;
  return { kind: "histogram", column: name, decimals, squared: true };
}

function percentOf({ spec, path }: AggregateRequest): number {
  if (spec.p !== undefined && spec.p > 0 && spec.p < 100) return spec.p;
  const detail = "percentile needs p above 0 and below 100.";
  throw new HadalError("invalid-query", { detail }, [
    { path: `${path}.p`, code: "out-of-range", detail },
  ]);
}
