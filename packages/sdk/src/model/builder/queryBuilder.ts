import type { Filter } from "../filter.js";
import type {
  BucketBound,
  CalculatedColumn,
  Compare,
  DerivedColumn,
  ElementGroup,
  GroupBy,
  Having,
  NumberBucket,
  Query,
  TimeBucket,
  TimeText,
} from "../query.js";
import type { Result, ResultValue } from "../result.js";
import type { NamedAggregate, NumberCell } from "./aggregateBuilder.js";

/** Rows of a result by the names of its columns. */
export type RowObject = Readonly<Record<string, ResultValue>>;

type Aggregated = NamedAggregate<string, unknown, string>;
type UnionToIntersection<Union> = (Union extends unknown ? (part: Union) => void : never) extends (
  whole: infer Whole,
) => void
  ? Whole
  : never;
type CellsOf<Aggregates extends readonly Aggregated[]> = UnionToIntersection<
  Aggregates[number]["cells"]
>;
type KeyOf<Group extends GroupBy> = Group extends string
  ? { readonly [Name in Group]: ResultValue }
  : Group extends TimeBucket
    ? { readonly time: number }
    : Group extends { readonly bucket: infer Name extends string }
      ? { readonly [Column in Name]: NumberCell }
      : Group extends { readonly element: infer Name extends string }
        ? { readonly [Column in Name]: string | null }
        : never;
type KeysOf<Groups extends readonly GroupBy[]> = UnionToIntersection<
  { [Index in keyof Groups]: KeyOf<Groups[Index]> }[number]
>;
type Compared = {
  readonly [Name in `${string}.compare` | `${string}.delta` | `${string}.delta_pct`]: NumberCell;
};

/**
 * Writes a {@link Query} step by step; every step is a new builder, so that one can be the start of
 * several. `Row` is the type of the result's rows, for {@link QueryBuilder.rows}.
 */
export class QueryBuilder<Row = unknown> {
  readonly #query: Query;

  constructor(query: Query) {
    this.#query = query;
  }

  /** The time up to now: `last("3h")`. */
  last(duration: string): QueryBuilder<Row> {
    return this.between(`-${duration}`, "now");
  }

  /** From the first up to, but not with, the second. */
  between(from: TimeText, to: TimeText): QueryBuilder<Row> {
    return this.#with({ from, to });
  }

  /** IANA zone of calendar buckets and offsets. */
  inZone(timeZone: string): QueryBuilder<Row> {
    return this.#with({ timeZone });
  }

  /** Rows that pass all of these, and those of earlier calls. */
  where(...filters: Filter[]): QueryBuilder<Row> {
    return this.#with({ filter: [...(this.#query.filter ?? []), ...filters] });
  }

  /** A column computed per row. */
  derive(...columns: DerivedColumn[]): QueryBuilder<Row> {
    return this.#with({ derive: [...(this.#query.derive ?? []), ...columns] });
  }

  groupBy<const Groups extends readonly GroupBy[]>(
    ...groups: Groups
  ): QueryBuilder<Row & KeysOf<Groups>> {
    return this.#with({ groupBy: [...(this.#query.groupBy ?? []), ...groups] });
  }

  /** The numbers to show for each group. */
  select<const Aggregates extends readonly Aggregated[]>(
    ...aggregates: Aggregates
  ): QueryBuilder<Row & CellsOf<Aggregates>> {
    const specs = aggregates.map(({ spec }) => spec);
    return this.#with({ aggregates: [...(this.#query.aggregates ?? []), ...specs] });
  }

  /** Columns worked out from groups and aggregates: `calculate({ as: "share", expression })`. */
  calculate<const Columns extends readonly CalculatedColumn[]>(
    ...columns: Columns
  ): QueryBuilder<Row & { readonly [Name in Columns[number]["as"]]: ResultValue }> {
    return this.#with({ calculate: [...(this.#query.calculate ?? []), ...columns] });
  }

  /** The result columns to show, in this order. */
  show(...names: string[]): QueryBuilder<Row> {
    return this.#with({ show: names });
  }

  /** Groups whose numbers pass all of these: `having(col("count").gt(10))`. */
  having(...conditions: Having[]): QueryBuilder<Row> {
    return this.#with({ having: [...(this.#query.having ?? []), ...conditions] });
  }

  orderBy(by: string, direction: "asc" | "desc" = "asc"): QueryBuilder<Row> {
    return this.#with({
      orderBy: [...(this.#query.orderBy ?? []), { by, desc: direction === "desc" }],
    });
  }

  limit(limit: number): QueryBuilder<Row> {
    return this.#with({ limit });
  }

  /** With a time bucket: the top N groups over the whole range. */
  series(series: number): QueryBuilder<Row> {
    return this.#with({ series });
  }

  /** Beside every number that of another time, other rows, or both. */
  compare(compare: Compare): QueryBuilder<Row & Compared> {
    return this.#with({ compare });
  }

  /** Raw rows, newest first, instead of groups; without names every column. */
  sample<const Names extends readonly string[]>(
    ...columns: Names
  ): QueryBuilder<{ readonly time: number } & { readonly [Name in Names[number]]: ResultValue }> {
    return this.#with({ sampleView: columns.length === 0 ? {} : { columns } });
  }

  /** Refuses to answer with less than all rows. */
  exact(): QueryBuilder<Row> {
    return this.#with({ exact: true });
  }

  timeout(timeoutMs: number): QueryBuilder<Row> {
    return this.#with({ timeoutMs });
  }

  /** The plain object. */
  toQuery(): Query {
    return this.#query;
  }

  /** The rows of this query's result, by the names of their columns. */
  rows(result: Result): readonly Row[] {
    return rowObjects(result) as readonly unknown[] as readonly Row[];
  }

  #with<NewRow>(parts: Partial<Query>): QueryBuilder<NewRow> {
    return new QueryBuilder<NewRow>({ ...this.#query, ...parts });
  }
}

/** Begins a query on a table: the last hour, until `last` or `between` says otherwise. */
export function from(table: string): QueryBuilder {
  return new QueryBuilder({ table, from: "-1h", to: "now" });
}

/** Groups by steps of time: `every("1m")`. */
export function every(duration: string): TimeBucket {
  return { time: duration };
}

/** Groups by ranges of a number: even ones, given edges, or "log" (1, 2, 5, 10, 20, 50 …). */
export function bucket<const Column extends string>(
  column: Column,
  ranges: "log" | { readonly width: BucketBound } | { readonly edges: readonly BucketBound[] },
): NumberBucket & { readonly bucket: Column } {
  return ranges === "log" ? { bucket: column, scale: "log" } : { bucket: column, ...ranges };
}

/** Groups by the elements of a set or vector. */
export function element<const Column extends string>(
  column: Column,
): ElementGroup & { readonly element: Column } {
  return { element: column };
}

/** The rows of any result, by the names of their columns. */
export function rowObjects({ columns, rows }: Result): RowObject[] {
  return rows.map((row) => {
    // Without a prototype every name is an ordinary one.
    const object: Record<string, ResultValue> = Object.create(null);
    columns.forEach(({ name }, i) => {
      object[name] = row[i] ?? null;
    });
    return object;
  });
}
