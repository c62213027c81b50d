import { type Aggregate, isNumber } from "../../query/number/aggregate.js";
import type { NumbersQuery } from "../../query/number/askedNumbers.js";
import { numberName } from "../../query/number/labels.js";
import type { ViewSpec } from "./viewSpec.js";

/** Buckets of these add up to the whole range. */
export const addsUp = (spec: Aggregate): boolean =>
  spec.per === undefined &&
  spec.columns === undefined &&
  ["count", "count.raw", "sum", "min", "max"].includes(spec.fn);

/** What all views of numbers over time share. Series are ranked by a number: a rank by name or time would be arbitrary. */
export const overTime = {
  fields: ["compare", "aggregates", "group", "bucket", "having", "order", "series"],
  options: [],
  needsColumns: false,
  lacks: ({ aggregates }) =>
    aggregates.every(isNumber)
      ? null
      : "A histogram is many numbers at once and no line over time: the distribution and the heatmap draw it, a query in SQL lists it.",
  fill: (state) => {
    const numbers = state.aggregates.filter(isNumber);
    if (numbers.length === state.aggregates.length) return state;
    return { ...state, aggregates: numbers.length > 0 ? numbers : [{ fn: "count" }] };
  },
  orderNames: (state) => state.aggregates.filter(isNumber).map(numberName),
  build: (state, { counted, bucket, order }) => {
    const orderBy = [{ by: order.by, desc: order.desc ?? false }];
    const query: NumbersQuery = {
      ...counted,
      groupBy: [{ time: bucket }, ...state.groupBy],
      orderBy,
      series: state.series,
    };
    const totals: NumbersQuery = {
      ...counted,
      groupBy: state.groupBy,
      orderBy,
      limit: state.series,
    };
    // Percentiles, averages and rates of the whole range cannot be had from the buckets.
    return { query, ...(state.aggregates.every(addsUp) ? {} : { extras: { totals } }) };
  },
} as const satisfies Partial<ViewSpec>;
