import type { FunctionVersion } from "./userFunction.js";

/**
 * int and decimal are exact; float appears in results only (averages, rates), and so does
 * histogram.
 */
export type ResultType =
  | "time"
  | "int"
  | "decimal"
  | "float"
  | "string"
  | "set"
  | "vector"
  | "histogram";

export type ResultRole = "group" | "aggregate" | "sample";

export interface ResultColumn {
  readonly name: string;
  readonly type: ResultType;
  readonly role: ResultRole;
  /** ms, us, s, bytes …, when the name of the source column ends with a unit. */
  readonly unit?: string;
  /** Digits behind the point of a decimal column. */
  readonly decimals?: number;
}

/**
 * An integer beyond 2^53 is a BigInt (in JSON a decimal string); a fraction that a number would
 * lose digits of is its text.
 */
export type HistogramBound = number | bigint | string;

/** `count` events (adjusted for sample rates) with low <= value < high. */
export type HistogramBucket = readonly [low: HistogramBound, high: HistogramBound, count: number];

/** One cell. In JSON an integer beyond 2^53 is a decimal string; the SDK hands it out as BigInt. */
export type ResultValue =
  | string
  | number
  | bigint
  | null
  | readonly string[]
  | readonly HistogramBucket[];

export type ResultRow = readonly ResultValue[];

/** The share of the wanted rows that an answer is based on, and the leaves that did not answer. */
export interface Completeness {
  /**
   * rowsAnswered ÷ rowsExpected, 0 to 1; exactly 1 when every leaf answered with all of its rows.
   */
  readonly fraction: number;
  /**
   * Absent: the share is known. false: counts of rows are lost, so the expected number is unknown
   * and `fraction` is 0.
   */
  readonly known?: false;
  /** Why the share is not known. */
  readonly reason?: string;
  /** Both are absent for whoever may read only some of the table's rows. */
  readonly rowsExpected?: number;
  readonly rowsAnswered?: number;
  readonly leaves: {
    readonly answered: number;
    readonly total: number;
    readonly missing: readonly string[];
  };
}

/**
 * One level of the tree that a query went through. Of several aggregators of a level each figure is the
 * largest: that of the one that its parent waited for.
 */
export interface TreeLevel {
  /** 0 for the root, which is the gateway; 1 for the aggregators that it asked, and so on. */
  readonly level: number;
  /** Leaves and aggregators that one aggregator asked. */
  readonly children: number;
  /** From the question to the last answer of the slowest child that answered. */
  readonly waitMs: number;
  /** Merging and cutting answers; at the root finishing them, below it encoding them. */
  readonly mergeMs: number;
}

/** How much was read (rows, bytes, segments) is absent for whoever may read only some of the table's rows. */
export interface QueryStats {
  readonly rowsScanned?: number;
  readonly rowsMatched: number;
  readonly bytesScanned?: number;
  readonly segments?: number;
  readonly segmentsSkipped?: number;
  /**
   * `miss`: rows were read for it; `hit`: they had been read before, and are the same; `joined`: they were read for another
   * client that had just asked; `stale`: it is of an earlier moment, as `freshnessMs` allows; `part`: only the newest were read.
   */
  readonly cache: "miss" | "hit" | "joined" | "stale" | "part";
  /** How long ago the answer was asked for first; absent where that says nothing. */
  readonly cacheAgeMs?: number;
  readonly elapsedMs: number;
  /** Longest scan of one leaf. */
  readonly scanMs: number;
  /** Merging and finishing at the root. */
  readonly mergeMs: number;
  /**
   * What `elapsedMs` was expected to be, from earlier queries like it; absent before the first one, and
   * where the answer was known already.
   */
  readonly predictedMs?: number;
  /**
   * The levels of the tree, the root first; without a cluster the root alone, which asks leaves. Empty
   * where nothing was asked. Servers of older versions do not say.
   */
  readonly levels?: readonly TreeLevel[];
}

/**
 * What was cut off, per kind; absent kinds were not. `groups`: groups that some leaf or the limit
 * left out.
 */
export interface Truncated {
  readonly groups?: number;
  readonly rows?: number;
  readonly series?: number;
  /**
   * The numbers of groups and series are lower bounds: each leaf cut some of its own. Absent: they
   * are exact.
   */
  readonly atLeast?: true;
  /**
   * Of a top list by a count or a sum that is never negative: no group (or series) that is not
   * shown has more than this, in the leaves that answered. Absent where no such bound is known.
   */
  readonly unseenMax?: number;
}

/** What an error bar cannot say: of a column, or (without one) of which rows there are. */
export interface ResultNote {
  readonly column?: string;
  readonly text: string;
}

/**
 * Why a time bucket is incomplete: leaves with rows of it are missing; it is not over yet, or has
 * not begun; it is before the table's first row; its rows were thinned, or may have expired.
 */
export type CoverageReason =
  | "missing-leaves"
  | "open"
  | "before-data"
  | "future"
  | "thinned"
  | "expired";

/**
 * An incomplete time bucket, the share of it that is present (of its rows, or else of its time),
 * and the reason.
 */
export type BucketCoverage = readonly [bucketStart: number, share: number, reason: CoverageReason];

/** A finished answer. */
export interface Result {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly ResultRow[];
  readonly completeness: Completeness;
  /**
   * Error bars per column, per row; null where none can be given. The full answer (of all leaves,
   * of all events before sampling) lies within them 19 times of 20. Numbers are shown as measured
   * over the rows that answered: with leaves missing, the bar of a count or sum lies above it.
   */
  readonly intervals: Readonly<Record<string, readonly (readonly [number, number] | null)[]>>;
  /** The saved functions that it used. */
  readonly functions?: readonly FunctionVersion[];
  /** Milliseconds since 1970: no row that was acknowledged before this is left out. */
  readonly asOf: number;
  /**
   * Starts of those time buckets among the rows that are covered in part only: cut by `from` or
   * `to`, or not over yet; and of those that are compared with a time of another length. Absent
   * when there are none.
   */
  readonly incomplete?: readonly number[];
  /**
   * With a time bucket: those of the range that are not whole, rows or none, ascending; each once,
   * with what lacks most of it. With a comparison the lower share of both sides where leaves are
   * missing. Absent when there are none.
   */
  readonly coverage?: readonly BucketCoverage[];
  /**
   * The same of side B for what time alone leaves out, with the starts of side A's buckets; without
   * a time bucket its range as one. A difference over such a time compares unlike with unlike.
   * Absent when there are none.
   */
  readonly compareCoverage?: readonly BucketCoverage[];
  /**
   * Columns of counts, and of sums of values that are known not to be negative, which are computed
   * from a part of the rows: the full answer is no less. Absent when nothing is missing.
   */
  readonly lowerBounds?: readonly string[];
  /** What to know of numbers that no error bar can be given for. Absent when nothing is missing. */
  readonly notes?: readonly ResultNote[];
  readonly final: boolean;
  readonly truncated: Truncated | null;
  readonly stats: QueryStats;
}
