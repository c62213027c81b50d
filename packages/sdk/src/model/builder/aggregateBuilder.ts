import type { AggregateFn, AggregateSpec, RateUnit } from "../aggregate.js";
import type { HistogramBucket } from "../result.js";

/**
 * An exact number: BigInt beyond 2^53, decimal text where a double would lose digits; null is
 * missing.
 */
export type NumberCell = number | bigint | string | null;

/** An aggregate with the name of its result column, and in its type that of the values. */
export class NamedAggregate<Name extends string, Value, Suffix extends string = ""> {
  /** Never there: it carries the type of the columns. */
  declare readonly cells: { readonly [Cell in Name | `${Name}${Suffix}`]: Value };

  constructor(readonly spec: AggregateSpec) {}

  as<NewName extends string>(name: NewName): NamedAggregate<NewName, Value, Suffix> {
    return new NamedAggregate({ ...this.spec, as: name });
  }

  /** Divides by the time that each group covers; for counts and sums. */
  per(unit: RateUnit): NamedAggregate<Name, number | null, Suffix> {
    return new NamedAggregate({ ...this.spec, per: unit });
  }
}

/**
 * Rows, or with a column its present values; beside it `count.raw`, not adjusted for sample rates.
 */
export function count(): NamedAggregate<"count", number, ".raw">;
export function count<Column extends string>(
  column: Column,
): NamedAggregate<`count_${Column}`, number, ".raw">;
export function count(column?: string): NamedAggregate<string, number, ".raw"> {
  return new NamedAggregate(column === undefined ? { fn: "count" } : { fn: "count", column });
}

export const sum = numberOf("sum");
export const min = numberOf("min");
export const max = numberOf("max");

export function avg<Column extends string>(
  column: Column,
): NamedAggregate<`avg_${Column}`, number | null> {
  return new NamedAggregate({ fn: "avg", column });
}

export function stddev<Column extends string>(
  column: Column,
): NamedAggregate<`stddev_${Column}`, number | null> {
  return new NamedAggregate({ fn: "stddev", column });
}

/** How many different values. */
export function distinct<Column extends string>(
  column: Column,
): NamedAggregate<`distinct_${Column}`, number> {
  return new NamedAggregate({ fn: "distinct", column });
}

/** 0 < p < 100. */
export function percentile<Column extends string, P extends number>(
  column: Column,
  p: P,
): NamedAggregate<`p${P}_${Column}`, NumberCell> {
  return new NamedAggregate({ fn: "percentile", column, p });
}

export function histogram<Column extends string>(
  column: Column,
): NamedAggregate<`histogram_${Column}`, readonly HistogramBucket[] | null> {
  return new NamedAggregate({ fn: "histogram", column });
}

function numberOf<Fn extends AggregateFn>(fn: Fn) {
  return <Column extends string>(column: Column): NamedAggregate<`${Fn}_${Column}`, NumberCell> =>
    new NamedAggregate({ fn, column });
}
