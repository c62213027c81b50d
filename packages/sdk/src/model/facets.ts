import type { Filter } from "./filter.js";
import type { DerivedColumn, TimeText } from "./query.js";
import type { Completeness, QueryStats, ResultNote } from "./result.js";
import type { ColumnType } from "./schema.js";

/**
 * Asks for the values of many columns at once, counted over all rows of a range that pass a filter,
 * in one scan.
 */
export interface FacetsRequest {
  readonly table: string;
  readonly from: TimeText;
  readonly to: TimeText;
  /** IANA zone; default UTC. */
  readonly timeZone?: string;
  /** All of these must hold. */
  readonly filter?: readonly Filter[];
  /** Columns that `filter` and `columns` may name. */
  readonly derive?: readonly DerivedColumn[];
  /**
   * Default: every column of the table but the time and what is derived, up to {@link
   * facetColumnsMax}.
   */
  readonly columns?: readonly string[];
  /** Most values of each column; default {@link facetLimitDefault}. */
  readonly limit?: number;
  readonly timeoutMs?: number;
}

/** One column of the rows that were asked for. */
export interface Facet {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits behind the point; 0 for whole numbers and for other types. */
  readonly decimals: number;
  readonly unit?: string;
  /** Rows that have a value, and the events they represent (adjusted for sample rates). */
  readonly rows: number;
  readonly count: number;
  /** `count` ÷ events of all rows, 0 to 1; 0 without rows. */
  readonly fill: number;
  /**
   * How many different values there are (elements, of sets and vectors); null: more than can be
   * counted.
   */
  readonly distinct: number | null;
  /** Whether `distinct` is exact; else it is an estimate, or a lower bound. */
  readonly distinctIsExact: boolean;
  /**
   * The most frequent values, or elements of sets and vectors; null where there are too many to
   * count. Missing values are not among them.
   */
  readonly values: readonly FacetValue[] | null;
  /** Of numbers with many values: ascending ranges that cover all of them; else null. */
  readonly ranges: readonly FacetRange[] | null;
}

export interface FacetValue {
  /**
   * An integer beyond 2^53 is a BigInt (in JSON a decimal string), a decimal beyond that or with
   * more than 15 digits a text.
   */
  readonly value: string | number | bigint;
  readonly rows: number;
  readonly count: number;
  /** `count` ÷ events of all rows, those without a value included. */
  readonly share: number;
}

/** from <= value < to; null: without end. */
export interface FacetRange {
  readonly from: number | null;
  readonly to: number | null;
  readonly rows: number;
  readonly count: number;
  readonly share: number;
}

export interface Facets {
  /** In the order asked for, or of the table. */
  readonly columns: readonly Facet[];
  /** All rows that were asked for, and the events they represent. */
  readonly rows: number;
  readonly count: number;
  readonly completeness: Completeness;
  readonly asOf: number;
  readonly final: boolean;
  readonly notes?: readonly ResultNote[];
  readonly stats: QueryStats;
}

/** A screen of a sidebar shows some 30; a table of 1,000 columns is scanned in a second or two. */
export const facetColumnsMax = 1_000;
export const facetLimitDefault = 10;
/** What a list of values scrolls through. */
export const facetLimitMax = 1_000;
