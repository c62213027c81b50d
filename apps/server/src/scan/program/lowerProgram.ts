import {
  columnWords,
  type ProgramCondition,
  programFits,
  programHeadBytes,
  programTotalsBytes,
  unitHeadWords,
  writeProgramColumn,
  writeProgramHead,
  writeProgramUnit,
} from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { int64Max, int64Min } from "../../column/decimal.js";
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
  StateSpec,
} from "../../plan/query/resolvedQuery.js";
import { floorDouble } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { ProgramTask } from "../task/programTask.js";
import type { StateTask } from "../task/scanTask.js";
import { type ProgramColumns, programColumns, traits } from "./programColumn.js";
import { remembersSums } from "./rememberSums.js";
import {
  type SegmentsInTotals,
  type SegmentWeights,
  segmentsInTotals,
  segmentWeights,
} from "./segmentsInTotals.js";

/**
 * Half a millisecond's work before other tasks get their turn; less where lanes share the units, so
 * that all end together.
 */
const unitsAtOnce = { alone: 16, shared: 4 };

/**
 * The error is estimated from about this many selected rows in all, or per segment where there are
 * many segments.
 */
const spreadRows = { inAll: 131_072, perUnit: 256 };

type IntCondition = Extract<ResolvedFilter, { kind: "range" | "ints" }>;

/** A side of a query in the form of a scan program. */
interface ProgramShape {
  readonly conditions: readonly IntCondition[];
  /** Spreads are the last. */
  readonly inputs: readonly ProgramInput[];
  /** Aligned with the query's states. */
  readonly inputOf: readonly number[];
  /** The columns to read, each once; `conditionAt` and `inputAt` are places in this list. */
  readonly columns: readonly string[];
  readonly conditionAt: readonly number[];
  /** -1: the input reads no column. */
  readonly inputAt: readonly number[];
}

interface ProgramInput {
  readonly isSpread: boolean;
  /** Null: every row counts. */
  readonly column: string | null;
  /** Null: only presence counts. */
  readonly decimals: number | null;
}

/** A side of a query whose states are lowered. */
export interface ProgramSide {
  readonly query: ResolvedQuery;
  readonly sideIndex: number;
  readonly segments: readonly SegmentView[];
  readonly states: readonly StateTask[];
}

export interface ProgramPlace {
  readonly memory: QueryMemory;
  readonly laneCount: number;
  /** Bytes of the stored columns that the query reads. */
  bytesOf(segment: SegmentView): number;
}

export interface LoweredProgram {
  readonly unitCount: number;
  /** The task of each lane. */
  readonly lanes: readonly ProgramTask[];
  /** Which of the segments is behind each unit. */
  readonly covered: Uint32Array;
}

export interface SplitByProgram {
  readonly program: LoweredProgram | null;
  /** Segments that it does not cover. */
  readonly others: readonly SegmentView[];
}

/**
 * Lowers a side with one group, conditions on integers, and counts and sums: segments wholly in the
 * range whose columns are readable become a scan program. `states`: the side's, lowered.
 */
export function lowerProgram(
  { query, sideIndex, segments, states }: ProgramSide,
  { memory, laneCount, bytesOf }: ProgramPlace,
): SplitByProgram {
  const side = query.sides[sideIndex]!;
  const shape = shapeOf(query, side, states);
  const conditions = shape?.conditions.map(toProgram) ?? [];
  if (shape === null || !programFits(conditions)) return { program: null, others: segments };
  const stored = storedColumnsOf(segments, shape.columns);
  const others: SegmentView[] = [];
  const all = new Uint32Array(segments.length);
  let unitCount = 0;
  eachSpread(segments.length, (index) => {
    if (isCovered(stored, stored.places[index]!, side, shape)) all[unitCount++] = index;
    else others.push(segments[index]!);
  });
  if (unitCount === 0) return { program: null, others };
  const covered = all.subarray(0, unitCount);
  const isDerived = query.derived !== undefined;
  const readOf = isDerived ? (index: number) => bytesOf(segments[index]!) : null;
  const units = { stored, covered, bytesOf: readOf };
  const address = writeProgram(shape, conditions, units, memory);
  const cursor = laneCount === 1 ? 0 : memory.bitmap(64);
  const inputCount = shape.inputs.length;
  // Spreads are not remembered.
  const isRemembered = remembersSums(query) && shape.inputs.every(isNoSpread);
  const unitTotals = isRemembered ? memory.allocate(unitCount * programTotalsBytes(inputCount)) : 0;
  const lanes = Array.from({ length: laneCount }, () => ({
    side: sideIndex,
    address,
    unitCount,
    inputCount,
    cursor,
    unitsAtOnce: laneCount === 1 ? unitsAtOnce.alone : unitsAtOnce.shared,
    totals: memory.allocate(programTotalsBytes(inputCount)),
    unitTotals,
    inputs: shape.inputOf,
  }));
  return { program: { unitCount, lanes, covered }, others };
}

/** Null: a program cannot express the side. */
function shapeOf(
  { groupBy, states: specs, sample, only, branches }: ResolvedQuery,
  { filter }: ResolvedSide,
  states: readonly StateTask[],
): ProgramShape | null {
  if (groupBy.length > 0 || sample !== null || only !== undefined) return null;
  if (branches !== undefined) return null;
  const conditions = filter.kind === "all" ? filter.filters : [filter];
  if (!conditions.every(isAboutInts)) return null;
  const ofStates: (ProgramInput | "none")[] = [];
  for (const [index, spec] of specs.entries()) {
    const input = inputOfState(spec, states[index]!);
    if (input === null) return null;
    ofStates.push(input);
  }
  const read = ofStates.filter((input) => input !== "none");
  const inputs = [...read.filter(isNoSpread), ...read.filter(({ isSpread }) => isSpread)];
  const inputOf = ofStates.map((input) => (input === "none" ? -1 : inputs.indexOf(input)));
  const names = [...conditions, ...inputs].map(({ column }) => column);
  const columns = [...new Set(names.filter((name) => name !== null))];
  const placeOf = ({ column }: { readonly column: string | null }): number =>
    column === null ? -1 : columns.indexOf(column);
  const [conditionAt, inputAt] = [conditions.map(placeOf), inputs.map(placeOf)];
  return { conditions, inputs, inputOf, columns, conditionAt, inputAt };
}

const isNoSpread = ({ isSpread }: ProgramInput): boolean => !isSpread;

function isAboutInts(filter: ResolvedFilter): filter is IntCondition {
  return (filter.kind === "range" || filter.kind === "ints") && filter.column !== timeColumn;
}

function inputOfState(spec: StateSpec, state: StateTask): ProgramInput | "none" | null {
  if (spec.kind === "rows" || spec.kind === "weight") return "none";
  if (spec.kind === "function" || spec.kind === "text") return null;
  // Without weights it is 0.
  if (state.kind === "spread" && state.sums === 0) return "none";
  if (!("column" in spec) || spec.column === timeColumn) return null;
  const { column } = spec;
  if (spec.kind === "spread") {
    return { isSpread: true, column, decimals: spec.values ? spec.decimals : null };
  }
  if (spec.kind === "present") return { isSpread: false, column, decimals: null };
  if (spec.kind !== "sum" || state.kind !== "sum" || state.wide) return null;
  return { isSpread: false, column, decimals: spec.decimals };
}

function toProgram(condition: IntCondition): ProgramCondition {
  const { negated } = condition;
  const ranges =
    condition.kind === "range"
      ? [[BigInt(condition.low), BigInt(condition.high)] as const]
      : condition.values.map((text) => [BigInt(text), BigInt(text)] as const);
  return { negated, ranges: ranges.flatMap(withinInt64) };
}

/** The part of a range within 64 bits; empty where there is none. */
function withinInt64([low, high]: readonly [bigint, bigint]): (readonly [bigint, bigint])[] {
  const within = [low < int64Min ? int64Min : low, high > int64Max ? int64Max : high] as const;
  return within[0] > within[1] ? [] : [within];
}

/** The facts about segments that programs need, by their places. */
interface StoredColumns extends SegmentsInTotals {
  readonly weights: SegmentWeights;
  /** Aligned with the shape's. */
  readonly columns: readonly ProgramColumns[];
}

function storedColumnsOf(
  segments: readonly SegmentView[],
  names: readonly string[],
): StoredColumns {
  const known = segmentsInTotals(segments);
  const columns = names.map((name) => programColumns(known.totals, name));
  return { weights: segmentWeights(known.totals), columns, ...known };
}

/** Whether the program can read the columns of the segment at this place as a whole. */
function isCovered(
  { totals, weights, columns }: StoredColumns,
  place: number,
  { fromMs, toMs }: ResolvedSide,
  { conditions, inputs, conditionAt, inputAt }: ProgramShape,
): boolean {
  if (totals.minMs[place]! < fromMs || totals.maxMs[place]! >= toMs) return false;
  if (weights.width[place]! > 1) return false;
  for (let i = 0; i < conditions.length; i++) {
    const column = columns[conditionAt[i]!]!;
    const own = column.traits[place]!;
    if ((own & (traits.readable | traits.product)) !== traits.readable) return false;
    if ((own & traits.missing) === 0 && column.decimals[place] !== conditions[i]!.decimals)
      return false;
  }
  for (let i = 0; i < inputs.length; i++) {
    const at = inputAt[i]!;
    if (at >= 0 && !isInput(columns[at]!, place, inputs[i]!)) return false;
  }
  return true;
}

/** Whether the program can sum the column, or knows its presence. */
function isInput(
  column: ProgramColumns,
  place: number,
  { decimals, isSpread }: ProgramInput,
): boolean {
  const own = column.traits[place]!;
  if (decimals === null) return (own & traits.hasPresence) !== 0;
  if ((own & traits.readable) === 0 || (own & traits.coded) !== 0) return false;
  if (isSpread && (own & traits.product) !== 0) return false;
  return (own & traits.missing) !== 0 || column.decimals[place] === decimals;
}

interface ProgramUnits {
  readonly stored: StoredColumns;
  /** Which segments, in this order. */
  readonly covered: Uint32Array;
  /** Bytes read of a segment; null: those of its columns. */
  readonly bytesOf: ((index: number) => number) | null;
}

/** Returns its address. */
function writeProgram(
  { conditions, inputs, conditionAt, inputAt }: ProgramShape,
  ranges: readonly ProgramCondition[],
  { stored: { totals, places, weights, columns }, covered, bytesOf }: ProgramUnits,
  memory: QueryMemory,
): number {
  const headBytes = programHeadBytes(ranges);
  const unitWords = unitHeadWords + (conditions.length + inputs.length) * columnWords;
  const address = memory.allocate(headBytes + covered.length * unitWords * 4);
  const inputCount = inputs.filter(isNoSpread).length;
  const rows = Math.max(spreadRows.perUnit, Math.ceil(spreadRows.inAll / covered.length));
  const spreads = { count: inputs.length - inputCount, rows };
  writeProgramHead(memory.leaf.memory, address, ranges, inputCount, spreads);
  const bounds = ranges.map(({ negated, ranges: each }) => (negated ? null : boundsOf(each)));
  const { buffer } = memory.leaf.memory;
  const words = new Int32Array(buffer, address + headBytes, covered.length * unitWords);
  for (let unit = 0; unit < covered.length; unit++) {
    const place = places[covered[unit]!]!;
    const rowCount = totals.rowCounts[place]!;
    const weightWidth = weights.width[place]!;
    let readBytes = bytesOf?.(covered[unit]!) ?? Math.max(0, weightWidth) * rowCount;
    if (bytesOf === null) for (const { bytes } of columns) readBytes += bytes[place]!;
    let trueConditions = 0;
    let at = unit * unitWords + unitHeadWords;
    for (let i = 0; i < conditionAt.length; i++) {
      const column = columns[conditionAt[i]!]!;
      if (isTrueOf(column, place, bounds[i]!)) trueConditions |= 1 << i;
      put(words, at, column, place);
      at += columnWords;
    }
    for (let i = 0; i < inputAt.length; i++) {
      const { decimals, isSpread } = inputs[i]!;
      const column = columns[inputAt[i]!];
      if (column !== undefined && decimals !== null) put(words, at, column, place);
      else if (isSpread && column === undefined) putWeights(words, at, weights, place);
      else writeConstant(words, at, isSpread ? 1n : 0n, presenceOf(column, place));
      at += columnWords;
    }
    // As one literal: spreading another object into it takes longer than the rest of a unit.
    writeProgramUnit(words, unit * unitWords, {
      rowCount,
      from: 0,
      to: rowCount,
      readBytes,
      trueConditions,
      weights:
        weightWidth < 0 ? null : { address: weights.address[place]!, width: weightWidth as 0 | 1 },
    });
  }
  return address;
}

function put(words: Int32Array, at: number, column: ProgramColumns, place: number): void {
  for (let i = 0; i < columnWords; i++) words[at + i] = column.words[place * columnWords + i]!;
}

/** A spread without a column is that of the weights. */
function putWeights(
  words: Int32Array,
  at: number,
  weights: StoredColumns["weights"],
  place: number,
): void {
  const values = { address: weights.address[place]!, width: 1 } as const;
  const isWeighted = weights.width[place]! > 0;
  writeProgramColumn(words, at, isWeighted ? { values, base: 0n, present: 0, table: null } : null);
}

/** Bitmap of the rows with a value; 0: all of them, also without a column; null: none. */
function presenceOf(column: ProgramColumns | undefined, place: number): number | null {
  if (column === undefined) return 0;
  return (column.traits[place]! & traits.missing) === 0 ? column.present[place]! : null;
}

/** Writes a column that is `base` in every row with a value: no values are read. */
function writeConstant(words: Int32Array, at: number, base: bigint, present: number | null): void {
  const column = present === null ? null : { values: constant, base, present, table: null };
  writeProgramColumn(words, at, column);
}

const constant = { address: 0, width: 0 } as const;

/** The range rounded inward to doubles; null: there are several ranges, or none. */
function boundsOf(
  ranges: ProgramCondition["ranges"],
): { readonly low: number; readonly high: number } | null {
  const [range, ...others] = ranges;
  if (range === undefined || others.length > 0) return null;
  const [low, high] = range;
  return { low: -floorDouble(-low), high: floorDouble(high) };
}

/** Whether all rows pass by the zone map. */
function isTrueOf(
  column: ProgramColumns,
  place: number,
  bounds: { readonly low: number; readonly high: number } | null,
): boolean {
  return (
    bounds !== null &&
    (column.traits[place]! & traits.complete) !== 0 &&
    bounds.low <= column.atLeast[place]! &&
    bounds.high >= column.atMost[place]!
  );
}

/**
 * Visits in bit-reversed order, which spreads over time: so each beginning of the scan is a fair
 * sample.
 */
function eachSpread(count: number, visit: (index: number) => void): void {
  const bits = Math.ceil(Math.log2(Math.max(2, count)));
  for (let index = 0; index < 2 ** bits; index++) {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed = (reversed << 1) | ((index >> bit) & 1);
    if (reversed < count) visit(reversed);
  }
}
