import {
  columnWords,
  type ProgramCondition,
  programFits,
  programHeadBytes,
  programTotalsBytes,
  unitHeadWords,
  writeProgramHead,
  writeProgramUnit,
} from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { int64Max, int64Min } from "../column/decimal.js";
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
  StateSpec,
} from "../plan/resolvedQuery.js";
import { floorDouble } from "../store/segmentTotals.js";
import type { SegmentView } from "../store/segmentView.js";
import { type ProgramColumn, ProgramColumns, writeConstant } from "./programColumn.js";
import type { ProgramTask } from "./programTask.js";
import type { QueryMemory } from "./queryMemory.js";
import { remembersSums } from "./rememberSums.js";
import type { StateTask } from "./scanTask.js";

/** Some half a millisecond, before others get their turn; where lanes share them, less, so that all are done at about the same time. */
const unitsAtOnce = { alone: 16, shared: 4 };

/** An error is itself an estimate: about so many selected rows of a scan tell it, and of each segment where there are many. */
const spreadRows = { inAll: 131_072, perUnit: 256 };

type IntCondition = Extract<ResolvedFilter, { kind: "range" | "ints" }>;

/** What a side asks, in the terms of a program. */
interface ProgramShape {
  readonly conditions: readonly IntCondition[];
  /** Spreads are the last. */
  readonly inputs: readonly ProgramInput[];
  /** Aligned with the query's states. */
  readonly inputOf: readonly number[];
  /** Columns that are read, each once, and which of them each condition and each input reads. */
  readonly columns: readonly string[];
  readonly conditionAt: readonly number[];
  /** -1: it reads none. */
  readonly inputAt: readonly number[];
}

interface ProgramInput {
  readonly isSpread: boolean;
  /** Null: every row counts. */
  readonly column: string | null;
  /** Null: only whether there is a value counts. */
  readonly decimals: number | null;
}

export interface LoweredProgram {
  readonly unitCount: number;
  /** The task of each lane. */
  readonly lanes: readonly ProgramTask[];
  /** The segment behind each unit. */
  readonly segments: readonly SegmentView[];
}

export interface SplitByProgram {
  readonly program: LoweredProgram | null;
  /** Segments that it does not cover. */
  readonly others: readonly SegmentView[];
}

/**
 * Rows of one group that integers select, counted and added up: those of the segments that lie wholly in the range and whose
 * columns are plain become a program. `states` are the side's, lowered.
 */
export function lowerProgram(
  query: ResolvedQuery,
  sideIndex: number,
  segments: readonly SegmentView[],
  states: readonly StateTask[],
  memory: QueryMemory,
  laneCount: number,
  /** Of the stored columns that the query reads. */
  bytesOf: (segment: SegmentView) => number,
): SplitByProgram {
  const side = query.sides[sideIndex]!;
  const shape = shapeOf(query, side, states);
  const conditions = shape?.conditions.map(toProgram) ?? [];
  if (shape === null || !programFits(conditions)) return { program: null, others: segments };
  const others: SegmentView[] = [];
  const covered: CoveredSegment[] = [];
  for (const segment of spread(segments)) {
    const columns = coveredColumns(segment, side, shape);
    if (columns === null) others.push(segment);
    else covered.push({ segment, columns });
  }
  if (covered.length === 0) return { program: null, others };
  const isDerived = query.derived !== undefined;
  const address = writeProgram(shape, conditions, covered, memory, isDerived ? bytesOf : null);
  const cursor = laneCount === 1 ? 0 : memory.bitmap(64);
  const inputCount = shape.inputs.length;
  const unitCount = covered.length;
  // With sums no spreads would be remembered.
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
  return { program: { unitCount, lanes, segments: covered.map(({ segment }) => segment) }, others };
}

/** Null: a program cannot say it. */
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
  if (spec.kind === "function") return null;
  // Without weights there is nothing to gather of it.
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

/** None where nothing of it is. */
function withinInt64([low, high]: readonly [bigint, bigint]): (readonly [bigint, bigint])[] {
  const within = [low < int64Min ? int64Min : low, high > int64Max ? int64Max : high] as const;
  return within[0] > within[1] ? [] : [within];
}

interface CoveredSegment {
  readonly segment: SegmentView;
  /** Aligned with the shape's. */
  readonly columns: readonly ProgramColumn[];
}

/** The columns of a segment that the program can read as a whole; null: it cannot. */
function coveredColumns(
  segment: SegmentView,
  { fromMs, toMs }: ResolvedSide,
  { conditions, inputs, columns: names, conditionAt, inputAt }: ProgramShape,
): readonly ProgramColumn[] | null {
  if (segment.minMs < fromMs || segment.maxMs >= toMs) return null;
  if (segment.weights !== null && segment.weights.width > 1) return null;
  const known = new ProgramColumns(segment);
  const columns: ProgramColumn[] = [];
  for (let i = 0; i < names.length; i++) columns.push(known.get(names[i]!));
  for (let i = 0; i < conditions.length; i++) {
    const { words, decimals, isMissing, isProduct } = columns[conditionAt[i]!]!;
    if (words === null || isProduct || (!isMissing && decimals !== conditions[i]!.decimals))
      return null;
  }
  for (let i = 0; i < inputs.length; i++) {
    const at = inputAt[i]!;
    if (at >= 0 && !isInput(columns[at]!, inputs[i]!)) return null;
  }
  return columns;
}

/** Whether the program can add it up, or tell where it has values. */
function isInput(column: ProgramColumn, { decimals, isSpread }: ProgramInput): boolean {
  if (decimals === null) return column.present !== null;
  if (column.words === null || column.isCoded || (isSpread && column.isProduct)) return false;
  return column.isMissing || column.decimals === decimals;
}

/** Returns its address. */
function writeProgram(
  { conditions, inputs, conditionAt, inputAt }: ProgramShape,
  ranges: readonly ProgramCondition[],
  covered: readonly CoveredSegment[],
  memory: QueryMemory,
  /** Null: what its columns have. */
  bytesOf: ((segment: SegmentView) => number) | null,
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
    const { segment, columns } = covered[unit]!;
    const { rowCount, weights } = segment;
    let readBytes = bytesOf?.(segment) ?? (weights?.width ?? 0) * rowCount;
    if (bytesOf === null) for (const { bytes } of columns) readBytes += bytes;
    let trueConditions = 0;
    let at = unit * unitWords + unitHeadWords;
    for (let i = 0; i < conditionAt.length; i++) {
      const column = columns[conditionAt[i]!]!;
      if (isTrueOf(column, bounds[i]!)) trueConditions |= 1 << i;
      put(words, at, column.words);
      at += columnWords;
    }
    for (let i = 0; i < inputAt.length; i++) {
      const { decimals, isSpread } = inputs[i]!;
      const column = columns[inputAt[i]!];
      if (column !== undefined && decimals !== null) put(words, at, column.words);
      else writeConstant(words, at, isSpread ? 1n : 0n, column);
      at += columnWords;
    }
    const ranged = { rowCount, from: 0, to: rowCount, weights, readBytes, trueConditions };
    writeProgramUnit(words, unit * unitWords, ranged);
  }
  return address;
}

function put(words: Int32Array, at: number, column: Int32Array | null): void {
  if (column === null) throw new Error("a segment is covered without one of its columns");
  for (let i = 0; i < columnWords; i++) words[at + i] = column[i]!;
}

/** A range as doubles that lie inside of it; null: there are several, or none. */
function boundsOf(
  ranges: ProgramCondition["ranges"],
): { readonly low: number; readonly high: number } | null {
  const [range, ...others] = ranges;
  if (range === undefined || others.length > 0) return null;
  const [low, high] = range;
  return { low: -floorDouble(-low), high: floorDouble(high) };
}

/** Whether the zone map says that all rows pass. */
function isTrueOf(
  { isComplete, isMissing, atLeast, atMost }: ProgramColumn,
  bounds: { readonly low: number; readonly high: number } | null,
): boolean {
  return (
    isComplete && !isMissing && bounds !== null && bounds.low <= atLeast && bounds.high >= atMost
  );
}

/** Any beginning of the scan should be a fair sample of the whole: bit-reversed order spreads over time. */
function spread<Item>(items: readonly Item[]): Item[] {
  const bits = Math.ceil(Math.log2(Math.max(2, items.length)));
  const spread: Item[] = [];
  for (let index = 0; index < 2 ** bits; index++) {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed = (reversed << 1) | ((index >> bit) & 1);
    if (reversed < items.length) spread.push(items[reversed]!);
  }
  return spread;
}
