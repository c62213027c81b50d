import { sampleRateColumn, timeColumn } from "@hadal/sdk";
import type { PartialSide, StateColumn } from "../../aggregate/partial/partialResult.js";
import { sumsPerSpread } from "../../aggregate/state/spreadState.js";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import type { ColumnTotals, SegmentTotals } from "../../store/segment/segmentTotals.js";
import { spreadSums } from "../../store/segment/segmentView.js";
import { rememberedKey, remembersSums } from "../program/rememberSums.js";
import { addHistograms } from "./addHistograms.js";

const two32 = 2 ** 32;

/**
 * Whether segments whose rows are all wanted can answer by their aggregates: the query does not
 * group them.
 */
export function asksAggregates(query: ResolvedQuery): boolean {
  if (query.sample !== null || query.groupBy.length > 0) return false;
  if (query.branches !== undefined) return false;
  // Of columns that the query derives segments know no more than they remember.
  if (query.derived !== undefined && !remembersSums(query)) return false;
  return query.states.every(
    (spec) => keptBySegments[spec.kind] && (!("column" in spec) || spec.column !== timeColumn),
  );
}

/** Whether a sealed segment has the state of all its rows. */
const keptBySegments: Readonly<Record<StateSpec["kind"], boolean>> = {
  ...{ rows: true, weight: true, present: true, sum: true, spread: true },
  ...{ min: true, max: true, histogram: true },
  ...{ squares: false, distinct: false, function: false, text: false },
};

/** The totals for each state; null where a state needs no column. */
export type AskedTotals = readonly (AskedColumn | null)[];

export interface AskedColumn {
  /** Null: no column is read. */
  readonly column: ColumnTotals | null;
  /** By the segment's place: 1 where it has the aggregates of the state. */
  readonly known: Uint8Array;
}

export function totalsOf(query: ResolvedQuery, totals: SegmentTotals): AskedTotals {
  return query.states.map((spec) => {
    const derived = rememberedKey(query, spec);
    if (derived !== null) {
      const column = totals.remembered(derived);
      return { column, known: spec.kind === "spread" ? column.spreadKnown : column.known };
    }
    if (spec.kind === "rows" || spec.kind === "weight") return null;
    if (spec.kind === "function" || spec.kind === "text") return null;
    if (spec.kind === "spread") {
      const column = totals.column(
        spec.column ?? sampleRateColumn,
        spec.values ? spec.decimals : 0,
      );
      return { column, known: column.spreadKnown };
    }
    const column = totals.column(spec.column, "decimals" in spec ? spec.decimals : 0);
    if (spec.kind !== "histogram") return { column, known: column.known };
    const known = column.histogramKnown;
    // The squares of weights 1 are 1.
    if (spec.squared !== true) return { column, known };
    return { column, known: withoutWeights(totals).map((plain, i) => plain & known[i]!) };
  });
}

/** By the segment's place: 1 where every row has the weight 1, so that there is no error. */
function withoutWeights({ rowCounts, weightTotals }: SegmentTotals): Uint8Array {
  return Uint8Array.from(rowCounts, (rows, i) => (rows === weightTotals[i] ? 1 : 0));
}

/** Segments, as places in the table's totals. */
export interface SummedSegments {
  readonly segments: Int32Array;
  readonly totals: SegmentTotals;
  readonly memory: WebAssembly.Memory;
}

/** One group with the states of all these segments together. */
export function aggregateAnswer(
  { states }: ResolvedQuery,
  summed: SummedSegments,
  asked: AskedTotals,
): PartialSide {
  return {
    groupCount: 1,
    keys: [],
    states: states.map((spec, i) => stateOf(spec, summed, asked[i]?.column ?? null)),
    groupsCut: 0,
  };
}

function stateOf(
  spec: StateSpec,
  { segments, totals: { rowCounts, weightTotals }, memory }: SummedSegments,
  column: ColumnTotals | null,
): StateColumn {
  if (spec.kind === "rows") return count(add(rowCounts, segments));
  if (spec.kind === "weight") return count(add(weightTotals, segments));
  if (column === null) throw new Error(`${spec.kind} is asked of a column`);
  switch (spec.kind) {
    case "present":
      return count(add(spec.weighted ? column.presentWeight : column.presentRows, segments));
    case "sum":
      return sumOf(column, segments);
    case "spread":
      return spreadOf(spec, column, segments);
    case "min":
    case "max":
      return extremeOf(spec.kind, column, segments);
    case "histogram":
      return addHistograms(column.histograms, segments, memory.buffer);
    case "squares":
    case "distinct":
    case "function":
    case "text":
      throw new Error(`segments keep no ${spec.kind}`);
  }
}

function count(value: number): StateColumn {
  return { kind: "count", values: Float64Array.of(value) };
}

function add(values: Float64Array, segments: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < segments.length; i++) sum += values[segments[i]!]!;
  return sum;
}

/** Each half of a segment's sum has 32 bits: a million segments add up exactly in a double. */
function sumOf({ hi, lo, presentWeight }: ColumnTotals, segments: Int32Array): StateColumn {
  const low = add(lo, segments);
  const carry = Math.floor(low / two32);
  return {
    kind: "sum",
    hi: Float64Array.of(add(hi, segments) + carry),
    lo: Float64Array.of(low - carry * two32),
    weights: Float64Array.of(add(presentWeight, segments)),
  };
}

/** Without values every value is 1; without a column it is the weight. */
function spreadOf(
  { values, column }: Extract<StateSpec, { kind: "spread" }>,
  { spreads }: ColumnTotals,
  segments: Int32Array,
): StateColumn {
  const ofValues = values || column === null;
  const sums = new Float64Array(sumsPerSpread);
  for (const segment of segments) {
    const first = segment * spreadSums;
    for (let i = 0; i < sumsPerSpread; i++) sums[i]! += spreads[ofValues ? first + i : first]!;
  }
  return { kind: "spread", sums };
}

function extremeOf(
  kind: "min" | "max",
  { hasValue, min, max }: ColumnTotals,
  segments: Int32Array,
): StateColumn {
  let best: bigint | null = null;
  for (const segment of segments) {
    if (hasValue[segment] === 0) continue;
    const value: bigint = kind === "min" ? min[segment]! : max[segment]!;
    if (best === null || (kind === "min" ? value < best : value > best)) best = value;
  }
  const present = Uint8Array.of(best === null ? 0 : 1);
  return { kind: "extreme", values: BigInt64Array.of(best ?? 0n), present };
}
