import { aggregateMeanings } from "./aggregateMeanings.js";

/** The aggregates that are built in. */
export type AggregateFn = keyof typeof aggregateMeanings;

export type RateUnit = "second" | "minute" | "hour";

/**
 * One number per group, or for `histogram` a list of buckets. `count` without a column counts rows,
 * with a column its present values.
 */
export interface AggregateSpec {
  readonly fn: AggregateFn;
  readonly column?: string;
  /** For `percentile`: 0 < p < 100. */
  readonly p?: number;
  /** Divides an additive aggregate (count, sum) by the time its group covers. */
  readonly per?: RateUnit;
  /** Name of the result column; default {@link aggregateName}. */
  readonly as?: string;
}

/**
 * A saved function over rows: called with the values of these columns, for every row that has all
 * of them.
 */
export interface FunctionAggregate {
  /** Name of the function. */
  readonly fn: string;
  readonly columns: readonly string[];
  readonly as?: string;
}

export function isFunctionAggregate(
  spec: AggregateSpec | FunctionAggregate,
): spec is FunctionAggregate {
  return "columns" in spec && spec.columns !== undefined;
}

/** All aggregates. */
export const aggregateFns = Object.keys(aggregateMeanings) as readonly AggregateFn[];

/** Whether an aggregate is one number per group: what can be ordered by and subtracted. */
export function isNumberAggregate(spec: AggregateSpec | FunctionAggregate): boolean {
  return !isFunctionAggregate(spec) && spec.fn !== "histogram";
}

/** Name of an aggregate's result column: `count`, `sum_bytes`, `p95_latency_us`, or its alias. */
export function aggregateName(spec: AggregateSpec | FunctionAggregate): string {
  if (spec.as !== undefined) return spec.as;
  if (isFunctionAggregate(spec)) return [spec.fn, ...spec.columns].join("_");
  if (spec.fn === "percentile") return `p${spec.p}_${spec.column}`;
  return spec.column === undefined ? spec.fn : `${spec.fn}_${spec.column}`;
}

/** With `count` comes the number of rows, not adjusted for sample rates, under this name. */
export function rawCountName(spec: AggregateSpec): string {
  return `${aggregateName(spec)}.raw`;
}

export const rateUnitMs: Readonly<Record<RateUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
};
