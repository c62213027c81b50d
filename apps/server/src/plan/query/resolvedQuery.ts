import type { ColumnType } from "@hadal/sdk";
import type { RowOrder } from "../../base/row/rowOrder.js";
import type { AdditivePart } from "../../function/compile/additiveFunction.js";
import type { SandboxedFunction } from "../../function/compile/sandboxedFunction.js";
import type { InputColumn } from "../../function/term/inputColumn.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { FinishValue } from "./finishValue.js";
import type { NumbersOf } from "./numbersOf.js";

/** A query as leaves accept it: absolute times, bound columns, states instead of finished numbers. Travels as JSON; 64-bit integers are decimal strings. */
export interface ResolvedQuery {
  readonly table: string;
  /** The main side, and with a comparison the base side. Time buckets of both match by index. */
  readonly sides: readonly ResolvedSide[];
  readonly groupBy: readonly ResolvedGroup[];
  /** The states of each group; the first two are always `rows` and `weight`. */
  readonly states: readonly StateSpec[];
  /** Raw rows instead of groups; then groupBy and states are empty. */
  readonly sample: ResolvedSample | null;
  /** Rows that fail it are not there for this query: leaves apply it to every side, first. */
  readonly granted?: ResolvedFilter;
  /** How many groups (series: keys without their time bucket) a leaf may return: max(5 · limit, 100). */
  readonly cut: LeafCut;
  /** The columns it reads, as it was bound to them: a leaf that stores one otherwise by now refuses with `schema-changed`. */
  readonly bound?: readonly BoundColumn[];
  /** Columns that are computed while segments are read. The rest of the query, and those after it, name one like a stored column. */
  readonly derived?: readonly ResolvedDerived[];
  /** Further questions about the same rows, answered in the same scan; then the query itself has no groups. */
  readonly branches?: readonly ResolvedBranch[];
  /** Others go first. */
  readonly background?: true;
  /** Asked a second time: give these groups (or series, with all their points), and no others. */
  readonly only?: AskedGroups;
}

/** One of several questions about the same rows. A leaf may leave it unanswered if it has too many groups. */
export interface ResolvedBranch {
  readonly groupBy: readonly ResolvedGroup[];
  readonly states: readonly StateSpec[];
  readonly cut: LeafCut;
}

export interface BoundColumn extends InputColumn {
  /** Set where it stands for the numbers alone of a column that has other values too. */
  readonly numbersOf?: NumbersOf;
  /** The stored column, where the query derives one with its name. */
  readonly stored?: string;
}

/** A column of the query: numbers or strings, missing where the computation says so. */
export interface ResolvedDerived {
  /** Its place in the query's `derive`, of which only what is read is computed; -1: a leaf derives it for itself. */
  readonly index: number;
  readonly name: string;
  readonly type: "int" | "string";
  readonly decimals: number;
  /** The columns it reads: stored ones, or derived ones before it. */
  readonly inputs: readonly BoundColumn[];
  readonly how: DerivedHow;
}

export type DerivedHow =
  /** An expression, or a JavaScript function that compiles to one. Conditions are the strings "true" and "false". */
  | { readonly kind: "expression"; readonly expression: TypedExpression }
  /** Any other function. */
  | SandboxedFunction;

/** Keys of groups, column by column; without the time bucket when the cut is by series. */
export interface AskedGroups {
  readonly groupCount: number;
  readonly keys: readonly AskedKeys[];
}

export type AskedKeys =
  | { readonly kind: "bucket"; readonly indexes: readonly number[] }
  /** Decimal strings; null = missing. */
  | { readonly kind: "int"; readonly values: readonly (string | null)[] }
  /** Indexes into the dictionary; -1 = missing. */
  | {
      readonly kind: "string";
      readonly dictionary: readonly string[];
      readonly codes: readonly number[];
    };

export interface ResolvedSide {
  /** [fromMs, toMs) */
  readonly fromMs: number;
  readonly toMs: number;
  readonly filter: ResolvedFilter;
  /** Buckets of the time group, if there is one. Edges never descend; two equal ones are an empty bucket (a comparison across a change of the clock). */
  readonly buckets: TimeBuckets | null;
  /** Of the time groups beside the first, in their order; as many on each side, matched by index. */
  readonly furtherBuckets?: readonly TimeBuckets[];
}

/** Bucket i covers [edge i, edge i+1). Even steps, or the edges one by one where a calendar makes them uneven. */
export type TimeBuckets =
  | {
      readonly kind: "even";
      readonly startMs: number;
      readonly stepMs: number;
      readonly count: number;
    }
  | { readonly kind: "edges"; readonly edgesMs: readonly number[] };

/** In negation normal form: `negated` is on the conditions, so that only "true" has to be tracked; a missing value makes every condition but `present` not true. */
export type ResolvedFilter =
  | { readonly kind: "all"; readonly filters: readonly ResolvedFilter[] }
  | { readonly kind: "any"; readonly filters: readonly ResolvedFilter[] }
  /** Every row of which the filter is not true: also those of which it is unknown. */
  | { readonly kind: "otherwise"; readonly filter: ResolvedFilter }
  | { readonly kind: "present"; readonly column: string; readonly negated: boolean }
  /** Integer within [low, high] (inclusive, int64 as decimal strings, scaled by the column's decimals). Empty when low > high. */
  | {
      readonly kind: "range";
      readonly column: string;
      readonly decimals: number;
      readonly low: string;
      readonly high: string;
      readonly negated: boolean;
    }
  | {
      readonly kind: "ints";
      readonly column: string;
      readonly decimals: number;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  /** Strings, by code point. */
  | {
      readonly kind: "strings";
      readonly column: string;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  | {
      readonly kind: "order";
      readonly column: string;
      readonly op: "<" | "<=" | ">" | ">=";
      readonly value: string;
      readonly negated: boolean;
    }
  | {
      readonly kind: "contains";
      readonly column: string;
      readonly needle: string;
      readonly negated: boolean;
    }
  | {
      readonly kind: "match";
      readonly column: string;
      readonly pattern: string;
      readonly negated: boolean;
    }
  /** Sets and vectors: no element. */
  | { readonly kind: "empty"; readonly column: string; readonly negated: boolean }
  /** Any of the values is an element, or every one. */
  | {
      readonly kind: "includes";
      readonly column: string;
      readonly every: boolean;
      readonly values: readonly string[];
      readonly negated: boolean;
    }
  /** The values are elements side by side, in this order. */
  | {
      readonly kind: "sequence";
      readonly column: string;
      readonly at: "start" | "end" | "anywhere";
      readonly values: readonly string[];
      readonly negated: boolean;
    };

export type ResolvedGroup =
  | { readonly kind: "time" }
  /** Sets and vectors are grouped by the JSON text of the whole list. */
  | {
      readonly kind: "column";
      readonly column: string;
      readonly type: ColumnType;
      readonly decimals: number;
    }
  /** A row is in the group of each distinct element of its list; in none when the list is empty. */
  | { readonly kind: "element"; readonly column: string }
  /** Integers at the column's decimals; the key is a bucket's lower bound. */
  | {
      readonly kind: "bucket";
      readonly column: string;
      readonly decimals: number;
      readonly buckets: NumberBuckets;
      /** A time group beside the first: which of its side's `furtherBuckets` has the edges; `buckets` are the main side's, whose bounds are the keys. */
      readonly further?: number;
    };

/** Bucket i covers [bound i, bound i+1); bounds are int64 as decimal strings. What is below the first bound is in a bucket that starts at the smallest int64, what is not below the last in one without end. */
export type NumberBuckets =
  | { readonly kind: "edges"; readonly bounds: readonly string[] }
  /** Multiples of the step. */
  | { readonly kind: "steps"; readonly step: string };

/** A mergeable aggregate state per group. Columns are integer columns; `decimals` is the scale in which the leaf must deliver. */
export type StateSpec =
  | { readonly kind: "rows" }
  | { readonly kind: "weight" }
  /** Rows in which the column (of any type) is present; `weighted`: the sum of their weights. */
  | { readonly kind: "present"; readonly column: string; readonly weighted: boolean }
  | { readonly kind: "sum"; readonly column: string; readonly decimals: number }
  | { readonly kind: "min"; readonly column: string; readonly decimals: number }
  | { readonly kind: "max"; readonly column: string; readonly decimals: number }
  /** The smallest or largest text of a string column, by code point; computed on the leaf's main thread. */
  | { readonly kind: "text"; readonly which: "min" | "max"; readonly column: string }
  /** `squared`: of the squares of weights, for the error of sample rates. */
  | {
      readonly kind: "histogram";
      readonly column: string;
      readonly decimals: number;
      readonly squared?: true;
    }
  /** The values themselves, of a column of any type. */
  | {
      readonly kind: "distinct";
      readonly column: string;
      readonly type: ColumnType;
      readonly decimals: number;
    }
  /** A function of a user over rows, run in the sandbox; it gets the rows that have a value in all columns. */
  | {
      readonly kind: "function";
      readonly source: string;
      readonly columns: readonly BoundColumn[];
      /** Its state is such sums of integer columns, and nothing else: leaves need not run it. */
      readonly additive?: readonly AdditivePart[];
      /** What `finalize` makes of the parts of such a one, in their order: the root need not run it either. */
      readonly finish?: TypedExpression;
    }
  /**
   * How far from the truth sample rates may have led: of each row's weight w the sums of w(w−1), and of w(w−1) times
   * its value and the value's square. Without `values` every value is 1; without a column every row has one.
   */
  | {
      readonly kind: "spread";
      readonly column: string | null;
      readonly values: boolean;
      readonly decimals: number;
    }
  /** Sums of squares. */
  | { readonly kind: "squares"; readonly column: string; readonly decimals: number };

export interface ResolvedSample {
  readonly columns: readonly {
    readonly name: string;
    readonly type: ColumnType;
    readonly decimals: number;
  }[];
  readonly limit: number;
  /** Also where `orders` say more: which segments are looked at first. */
  readonly newestFirst: boolean;
  /** What rows are ordered by, where that is not their time alone: columns of these. */
  readonly orders?: readonly SampleOrder[];
}

export interface SampleOrder extends RowOrder {
  readonly columnIndex: number;
}

export interface LeafCut {
  /** Most groups, or most series when `bySeries`. */
  readonly max: number;
  readonly bySeries: boolean;
  /** What to rank by, best first; ties by group keys ascending (empty: only by them). */
  readonly ranks: readonly Rank[];
}

export interface Rank {
  readonly by: RankBy;
  readonly desc: boolean;
}

/** What a leaf ranks its groups by, with its own states. */
export type RankBy =
  | { readonly kind: "key"; readonly groupIndex: number }
  /** A count or a sum, which adds up over leaves. */
  | { readonly kind: "state"; readonly stateIndex: number }
  /** A number that is finished from states. */
  | { readonly kind: "value"; readonly value: FinishValue };
