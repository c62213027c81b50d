import type { HistogramBucket } from "@hadal/sdk";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SketchBounds } from "../estimate/estimatePercentile.js";
import type { ShownEvidence } from "../estimate/leafEvidence.js";
import type { PartialSide, StateColumn } from "../partial/partialResult.js";

/** A finished number: exact ones still without their decimal point. Null is missing. */
export type FinishedValue = number | bigint | null;

type States = readonly StateColumn[];

/**
 * How numbers of one kind are finished from the merged states of a side, and what is true of them. `group` is a group of
 * that side.
 */
export interface AggregateKind<Value extends FinishValue = FinishValue> {
  /** The number of a group that the side has no rows of. */
  readonly absent: 0 | null;
  /** The number of one group; "overflow" ends the query. */
  finish(value: Value, states: States, group: number): FinishedValue | "overflow";
  /** Whether a number takes so long that it is kept for the order, the cell and its interval. */
  readonly isSlow?: true;
  /** The first group whose number overflows, or -1: it ends the query even where that group is not shown. */
  firstOverflow?(value: Value, states: States): number;
  /** All numbers as doubles, Infinity where one is missing; null where a double would not be exact. */
  ordinals?(value: Value, states: States): Float64Array | null;
  /** Numbers that are sketched: between which two numbers one of a group lies, null where it is exact. `scaled`: it is finished, without its decimal point. */
  intervals?(
    value: Value,
    states: States,
    decimals: number,
  ): (group: number, scaled: number | bigint) => readonly [low: number, high: number] | null;
  /** Where rows are missing or sampled: between which values the full answer's lies, of one row of the result. `known`: the number, where it was finished of the same states. */
  bounds?(
    aggregate: FinishAggregate,
    evidence: ShownEvidence,
    sideIndex: number,
    sides: readonly PartialSide[],
  ): (row: number, known: number | bigint | null) => SketchBounds;
  /** The text of a group, where the kind has texts. */
  text?(value: Value, states: States, group: number): string | null;
  /** The buckets of a group, with the decimal point in its place. */
  buckets?(
    value: Value,
    states: States,
    group: number,
    decimals: number,
  ): readonly HistogramBucket[] | null;
  /** How its error is estimated where rows are missing or sampled. Absent: it has no error bar of this sort. */
  readonly estimatedAs?: "count" | "sum" | "average";
  /** Whether groups that are first by it in all rows are, or may be bounded by, those that are first on one leaf. */
  arrivesFirst?(value: Value, order: FirstBy): boolean;
  /** Whether more rows can only make it larger. */
  grows?(value: Value, context: GrowthContext): boolean;
  /** Notes beside a number without an error bar. */
  readonly doubt?: {
    /** Where leaves are missing. */
    readonly missing: string;
    /** Where stored rows stand for others. */
    readonly sampled: string;
  };
}

/** The order that groups are cut by. */
export interface FirstBy {
  readonly desc: boolean;
  /** Whether series are cut, with all their points. */
  readonly bySeries: boolean;
  readonly states: readonly StateSpec[];
}

export interface GrowthContext {
  readonly states: readonly StateSpec[];
  /** Whether a column is known to have no value below 0. */
  neverNegative(column: string): boolean;
}

/** Of numbers whose error is not estimated in any way. */
export const noErrorBar: NonNullable<AggregateKind["doubt"]> = {
  missing: "no error bar is given.",
  sampled: "no error bar is given.",
};
