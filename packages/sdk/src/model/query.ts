import type { AggregateSpec, FunctionAggregate } from "./aggregate.js";
import type { Expression } from "./expression.js";
import type { Filter } from "./filter.js";

/**
 * A point in time as people write it: `"now"`, `"-3h"`, ISO-8601 with zone, or integer milliseconds
 * since 1970.
 */
export type TimeText = string | number;

/** Splits rows by the values of a column; its plain name does the same. */
export interface ColumnGroup {
  readonly column: string;
  /** Name of the result column; default the column's. */
  readonly as?: string;
}

/**
 * Splits rows into buckets of time, e.g. `{ time: "1m" }`. Units: ms s m h d w, and by the calendar
 * mo (months), q (quarters) and y (years), of which several are counted from January 1970 on.
 */
export interface TimeBucket {
  readonly time: string;
  /** Name of the result column; default `time`. */
  readonly as?: string;
}

/**
 * Splits an integer or decimal column into buckets; a group's key is the lower bound of its bucket.
 * `width` gives even buckets at its multiples (scale "linear"), `edges` ascending bounds (what is
 * below the first is in a bucket that starts at the smallest 64-bit integer), and scale "log" the
 * bounds 1, 2, 5, 10, 20, 50 … to either side of 0, counted in the column's last digit.
 */
export interface NumberBucket {
  readonly bucket: string;
  readonly scale?: "linear" | "log";
  readonly width?: BucketBound;
  readonly edges?: readonly BucketBound[];
  /** Name of the result column; default the column's. */
  readonly as?: string;
}

/**
 * Splits rows by the elements of a set or vector: a row counts once in the group of each element it
 * has, however often a vector repeats it. A row whose list is empty is in no group, as with SQL's
 * unnest; one without a list is in the group of the missing. Groups overlap, so their counts may
 * add up to more than there are rows. The column's plain name groups by whole lists instead.
 */
export interface ElementGroup {
  readonly element: string;
  /** Name of the result column; default the column's. */
  readonly as?: string;
}

/** A number; integers beyond 2^53 as decimal strings. */
export type BucketBound = number | string;

/** A column name, a time bucket, a numeric bucket, or the elements of a set or vector. */
export type GroupBy = string | ColumnGroup | TimeBucket | NumberBucket | ElementGroup;

export interface OrderBy {
  /** Name of a result column; of raw rows any column of the table, or a derived one. */
  readonly by: string;
  readonly desc?: boolean;
  /** The position of missing values; default last when ascending, first when descending. */
  readonly nulls?: "first" | "last";
}

/** Side B of a comparison: another time, other rows, or both. */
export interface Compare {
  /**
   * How far back side B lies, e.g. `"7d"`; calendar-true in the query's zone for d, w, mo, q and y
   * (a day that the month lacks is its end).
   */
  readonly offset?: string;
  /** Replaces the query's own filter on side B. */
  readonly filter?: readonly Filter[];
}

/**
 * Asks for raw rows. `columns` omitted or null: every column of the table. With a comparison up to
 * `limit` rows of each side, distinguished by a first column `side` ("main", "compare"; `_side`
 * where the table has a `side`).
 */
export interface SampleView {
  readonly columns?: readonly string[] | null;
}

/**
 * A column computed per row, which the rest of the query names like any other: by an expression, by
 * a JavaScript function of the row (`(row) => …`), or by a saved function called with columns.
 */
export type DerivedColumn = { readonly as: string } & (
  | { readonly expression: Expression }
  | { readonly js: string }
  | { readonly function: string; readonly args?: readonly string[] }
);

/**
 * A result column worked out from others, once these are whole: `{ as: "per row", expression: { fn:
 * "/", args: [{ column: "sum_bytes" }, { column: "count" }] } }`. A `column` here is one of the
 * query's groups or aggregates; without one it is a constant. `+ - *` and the like are exact where
 * both sides are whole numbers or decimals (beyond 64 bits: a Problem); `/` gives a float, as `avg`
 * does, and dividing by zero is missing.
 */
export interface CalculatedColumn {
  readonly as: string;
  readonly expression: Expression;
}

export type HavingOperator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "is missing" | "is present";

/**
 * A condition on a finished result row: on a group key or a number of it, `count.raw` and
 * `x.delta_pct` included. `value` is absent for the tests of presence; a time is milliseconds or a
 * text, an integer beyond 2^53 a decimal string. As in a filter, a comparison with a missing value
 * does not hold. Any other condition (OR, a pattern, a list) is a calculated column, of which
 * `"true"` is asked; `show` leaves it out.
 */
export interface Having {
  readonly column: string;
  readonly op: HavingOperator;
  readonly value?: number | string;
}

/** What a person asked. The JSON form of a query, exactly. */
export interface Query {
  readonly table: string;
  readonly from: TimeText;
  readonly to: TimeText;
  /** IANA zone; default UTC. */
  readonly timeZone?: string;
  /** All of these must hold. */
  readonly filter?: readonly Filter[];
  readonly derive?: readonly DerivedColumn[];
  readonly groupBy?: readonly GroupBy[];
  readonly aggregates?: readonly (AggregateSpec | FunctionAggregate)[];
  /** Result columns worked out from groups and aggregates; order and conditions may name them. */
  readonly calculate?: readonly CalculatedColumn[];
  /**
   * Which result columns are shown, in this order: names of groups, aggregates (each with what
   * comes along: its raw count, its comparison) and calculated columns; of raw rows, columns of
   * `sampleView` and the time. Default: all of them, in the order of these lists.
   */
  readonly show?: readonly string[];
  /** Result rows of which all of these hold; before the limit. */
  readonly having?: readonly Having[];
  readonly orderBy?: readonly OrderBy[];
  /** Most result rows, 0 too; default {@link limitDefault}. */
  readonly limit?: number;
  /** Result rows left out before the first that is shown; default 0. */
  readonly offset?: number;
  /** With a time bucket: keep the top N groups over the whole range. */
  readonly series?: number | null;
  readonly compare?: Compare | null;
  readonly sampleView?: SampleView | null;
  readonly exact?: boolean;
  readonly timeoutMs?: number;
  /**
   * How old the answer may be: a complete answer to the same query that is no older may be reused
   * (see `stats.cache`; `asOf` is its time). Default: every answer has all rows of the moment of asking.
   */
  readonly freshnessMs?: number | null;
  /** What may be done with answers that are known. Default: `"use"`. */
  readonly cache?: CacheUse;
}

/**
 * `use`: the rows may have been read for an earlier question; `refresh`: they are read now, and what is found is kept;
 * `off`: they are read now, and nothing is kept.
 */
export type CacheUse = (typeof cacheUses)[number];

export const cacheUses = ["use", "refresh", "off"] as const;

export const limitDefault = 100_000;
/** 1 M rows × 10 columns of 16 bytes: what a browser can still handle. */
export const limitMax = 1_000_000;
/** To page further, narrow the query. */
export const offsetMax = 1_000_000;
export const timeoutMsDefault = 2_000;
/** Two minutes: longer than any scan of a full leaf on one core. */
export const timeoutMsMax = 120_000;
/** A day: who needs no newer numbers than that keeps the last ones. */
export const freshnessMsMax = 86_400_000;
export const seriesMax = 10_000;
/** A group key of 16 columns: with more, every row would be a separate group. */
export const groupByMax = 16;
/**
 * Rows times elements times elements: pairs are asked for (which features go together), triples
 * would be hundreds a row.
 */
export const elementGroupsMax = 2;
/** 100 times what a chart shows. */
export const bucketEdgesMax = 10_000;
/** More conditions than a form has lines. */
export const havingMax = 100;
/** As many as aggregates. */
export const calculateMax = 100;
/** 100 columns of numbers: more than a person reads side by side. */
export const aggregatesMax = 100;
