import type { ResultType } from "@hadal/sdk";
import type { OrderComparison } from "../../base/number/orderHolds.js";
import type { FinishValue } from "./finishValue.js";
import type { RankBy } from "./resolvedQuery.js";

/** The root's half of a query: how merged states become a result. Leaves never see it. */
export interface FinishPlan {
  /** Aligned with ResolvedQuery.groupBy. */
  readonly groups: readonly FinishGroup[];
  readonly aggregates: readonly FinishAggregate[];
  /** What to order by, the default order written out; ties by group keys ascending. */
  readonly orders: readonly FinishOrder[];
  /** The order was not asked for: groups that the main side lacks come last. */
  readonly defaultOrder: boolean;
  /** Of finished rows those stay of which all of these hold; limit and series count what is left. */
  readonly having: readonly FinishHaving[];
  /** Result rows up to the last that is shown, those before the first of them included. */
  readonly limit: number;
  /** How many of these come before the first that is shown. */
  readonly offset: number;
  readonly series: FinishSeries | null;
  readonly sample: FinishSample | null;
  /** Names of the columns to show, each with those that come along; null: all. */
  readonly show: readonly string[] | null;
}

export interface FinishGroup {
  readonly name: string;
  readonly type: ResultType;
  readonly decimals: number;
  readonly unit: string | undefined;
}

export interface FinishAggregate {
  readonly name: string;
  readonly type: ResultType;
  readonly decimals: number;
  readonly unit: string | undefined;
  readonly value: FinishValue;
  /** What leaves can rank their groups by; null: only the root knows the number. */
  readonly rankBy: RankBy | null;
  /** The state with the error of an estimate by sample rates; null where the number is no estimate. */
  readonly spreadIndex: number | null;
  /** With a comparison: the columns it has for it. */
  readonly compared: readonly Exclude<ComparePart, "main">[];
}

export type ComparePart = "main" | "compare" | "delta" | "delta_pct";

/** What a comparison says of a number. */
export const numberParts: FinishAggregate["compared"] = ["compare", "delta", "delta_pct"];

/** A column of the result: a group key, or a number. */
export type FinishTarget =
  | { readonly kind: "key"; readonly groupIndex: number }
  | { readonly kind: "aggregate"; readonly aggregateIndex: number; readonly part: ComparePart };

export interface FinishHaving {
  readonly target: FinishTarget;
  readonly test: HavingTest;
}

/** What a cell must be; a missing one is what only `present` can ask for. */
export type HavingTest =
  | { readonly kind: "present"; readonly negated: boolean }
  /** Exact numbers, as they are kept: the wanted one is `floor`, or, where not `exact`, between it and the next. */
  | {
      readonly kind: "exact";
      readonly op: OrderComparison;
      readonly floor: bigint;
      readonly exact: boolean;
    }
  | { readonly kind: "float"; readonly op: OrderComparison; readonly value: number }
  /** By code point. */
  | { readonly kind: "string"; readonly op: OrderComparison; readonly value: string };

export interface FinishOrder {
  readonly target: FinishTarget;
  readonly desc: boolean;
  /** Where the missing stand, if not where they would. */
  readonly nulls?: "first" | "last";
}

/** Keep the best series over the whole range; then the order is time, then their rank. */
export interface FinishSeries {
  readonly max: number;
  readonly timeGroupIndex: number;
  readonly timeDesc: boolean;
  readonly rank: FinishOrder;
  /** Whether the order names what they are ranked by. */
  readonly isRankAsked: boolean;
}

export interface FinishSample {
  /** With a comparison: the name of the column that shows the side of a row; else null. */
  readonly sideName: string | null;
  readonly columns: readonly FinishSampleColumn[];
}

export interface FinishSampleColumn {
  readonly name: string;
  readonly type: ResultType;
  readonly decimals: number;
  readonly unit: string | undefined;
  /** Index into ResolvedQuery.sample.columns; null: the row's time. */
  readonly sampleIndex: number | null;
}
