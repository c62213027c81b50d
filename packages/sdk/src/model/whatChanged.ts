import type { Filter } from "./filter.js";
import type { DerivedColumn, TimeText } from "./query.js";
import type { Completeness, QueryStats, ResultNote } from "./result.js";
import type { ColumnType } from "./schema.js";

/**
 * Asks in which columns two sets of rows differ. Set A is the selection among the rows of the
 * request; set B is, by `against`, the rest of these rows, the rows of another filter, or those of
 * an earlier time.
 */
export interface WhatChangedRequest {
  readonly table: string;
  readonly from: TimeText;
  readonly to: TimeText;
  /** IANA zone; default UTC. */
  readonly timeZone?: string;
  /** Rows of both sets: all of these must hold. */
  readonly filter?: readonly Filter[];
  /** Columns that the filters may name. */
  readonly derive?: readonly DerivedColumn[];
  /**
   * The filter of set A. Omitted: every row, which can only be compared with another time
   * (`offset`).
   */
  readonly selection?: Selection;
  /** Default: "rest". */
  readonly against?: "rest" | Against;
  /** Default: every column of the table but the time. */
  readonly columns?: readonly string[];
  /** Columns to leave out. */
  readonly without?: readonly string[];
  /** Most columns to report; default {@link changesLimitDefault}. */
  readonly limit?: number;
  /** Most values of each; default {@link changeValuesDefault}. */
  readonly values?: number;
  /** Whether to look at values of two columns together; default true. */
  readonly pairs?: boolean;
  readonly timeoutMs?: number;
}

/** Rows that pass the filter, with times within the request's range. */
export interface Selection {
  readonly filter?: readonly Filter[];
  readonly from?: TimeText;
  readonly to?: TimeText;
}

/** Rows at an earlier time, or of another filter than the selection's, or both. */
export interface Against {
  /** How far back, e.g. `"7d"`; calendar-true in the request's zone for d, w, mo, q and y. */
  readonly offset?: string;
  readonly filter?: readonly Filter[];
}

/**
 * Rows, the events they represent (adjusted for sample rates), and their share of the events of
 * their set.
 */
export interface ChangeShare {
  readonly rows: number;
  readonly count: number;
  readonly share: number;
}

/** A set of rows. */
export interface ChangeSet {
  readonly rows: number;
  readonly count: number;
  /** As many rows without sample rates would be as precise (Kish). */
  readonly effectiveRows: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** What rows have in a column. */
export type ChangedValue =
  /** null: no value. */
  | { readonly kind: "value"; readonly value: string | number | bigint | null }
  /** An element of a set or vector. */
  | { readonly kind: "element"; readonly value: string }
  /** from <= value < to; null: without end. */
  | { readonly kind: "range"; readonly from: number | null; readonly to: number | null };

/** How often it occurs in both sets. */
export interface ValueChange {
  readonly is: ChangedValue;
  readonly a: ChangeShare;
  readonly b: ChangeShare;
  /** Share in A minus share in B. */
  readonly difference: number;
  /** The difference of all events, before sampling, lies within 19 times of 20. */
  readonly interval: readonly [low: number, high: number];
  /**
   * How likely chance alone makes a difference as large anywhere among all that was tested
   * (Bonferroni), if rows were dealt to the sets at random one by one; null: too few rows to test.
   */
  readonly p: number | null;
  /** Rows that have it, and those that do not. */
  readonly filter: Filter;
  readonly exclude: Filter;
}

/** A column in which the sets differ. */
export interface ColumnChange {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits behind the point; 0 for whole numbers and for other types. */
  readonly decimals: number;
  readonly unit?: string;
  /**
   * The least that the best value's shares differ by, 19 times of 20: what columns are ranked by.
   */
  readonly score: number;
  readonly best: ValueChange;
  /**
   * For a paired histogram: ranges ascending, values by their larger share, or elements by their
   * difference.
   */
  readonly values: readonly ValueChange[];
  /** Different values in both sets together; null: more than can be counted. */
  readonly distinct: number | null;
}

/**
 * Why a column was left out: (nearly) every row has its own value, it has more values than can be
 * counted, or it defines the sets.
 */
export type HiddenReason = "near-unique" | "too-many-values" | "tells-the-sets-apart";

export interface HiddenColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly reason: HiddenReason;
}

/** Values of two columns that separate the sets better together than either does alone. */
export interface PairChange {
  readonly columns: readonly [string, string];
  readonly is: readonly [ChangedValue, ChangedValue];
  readonly a: ChangeShare;
  readonly b: ChangeShare;
  readonly difference: number;
  readonly interval: readonly [low: number, high: number];
  readonly p: number | null;
  /** Of the events that have both values, the share that is in A; and of each value alone. */
  readonly purity: number;
  readonly purityAlone: readonly [number, number];
  readonly filter: Filter;
  readonly exclude: Filter;
}

export interface WhatChanged {
  readonly a: ChangeSet;
  readonly b: ChangeSet;
  /** Where p is below `chance`, the largest score first. */
  readonly columns: readonly ColumnChange[];
  /** How many there are, those beyond the limit included. */
  readonly columnsFound: number;
  /** Columns that were looked at and do not differ. */
  readonly unchanged: readonly string[];
  readonly hidden: readonly HiddenColumn[];
  /** Best first; of the final answer only. */
  readonly pairs: readonly PairChange[];
  /** Comparisons that were tested, and how likely any find at all is by chance. */
  readonly tests: number;
  readonly chance: number;
  /**
   * From the first to the last row that was thinned or sampled by a key: rows of a key are there or missing
   * together, so that it is not known how sure a difference is. Then `chance` and each `p` are 1, `score` is
   * 0 and each `interval` the widest. Absent: there are none.
   */
  readonly sampledByKey?: readonly [fromMs: number, toMs: number];
  readonly completeness: Completeness;
  readonly asOf: number;
  readonly final: boolean;
  readonly notes?: readonly ResultNote[];
  readonly stats: QueryStats;
}

export const changesLimitDefault = 20;
/** Enough columns to read. */
export const changesLimitMax = 1_000;
export const changeValuesDefault = 8;
export const changeValuesMax = 100;
