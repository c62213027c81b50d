import type { KernelOperations } from "@hadal/kernel-wasm";
import type { ColumnReader } from "../../column/readColumn.js";
import { overflow } from "../../function/term/cell.js";
import type { Scratch } from "../memory/scratch.js";
import type { Selection } from "../memory/selection.js";
import { createStringTest } from "../pattern/stringTest.js";
import { textAutomaton } from "../pattern/textAutomaton.js";
import type { ScanUnit, SegmentFilter } from "../task/scanTask.js";
import type { StringReader } from "../value/stringReader.js";
import { matchTexts } from "./matchTexts.js";

/** Looking up the value of every row costs as much as this many passes over a segment. */
const intPassesMax = 64;

/** The parts of a scan thread that filters use. */
export interface SelectContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly reader: ColumnReader;
  readonly strings: StringReader;
  readonly scratch: Scratch;
}

/**
 * The rows of the unit within its time range that pass its filter. A contiguous run when the filter
 * lets every row pass; a run with a mask when it lets at least this share pass.
 */
export function selectRows(context: SelectContext, unit: ScanUnit, maskShare: number): Selection {
  const { kernel, scratch } = context;
  const [from, to] = unit.sorted ? timeRun(kernel, unit) : [0, unit.rowCount];
  if (from >= to || unit.filter.op === "none") return runOf(0, 0);
  const unsortedEdge = !unit.sorted && (unit.minMs < unit.fromMs || unit.maxMs >= unit.toMs);
  if (unit.filter.op === "every" && !unsortedEdge) return runOf(from, to);
  const mask = scratch.masks[0]!;
  evaluate(context, unit, unit.filter, 0);
  if (from > 0 || to < unit.rowCount) {
    kernel.selectRows(scratch.masks[1]!, unit.rowCount, from, to);
    kernel.andInto(mask, scratch.masks[1]!, unit.rowCount);
  }
  if (unsortedEdge) {
    const low = BigInt(unit.fromMs) - unit.timeBase;
    const high = BigInt(unit.toMs) - unit.timeBase - 1n;
    kernel.selectRange(scratch.masks[1]!, unit.times, unit.rowCount, low, high);
    kernel.andInto(mask, scratch.masks[1]!, unit.rowCount);
  }
  const selected = kernel.countSelected(mask, unit.rowCount);
  // When every row of the run passed, the run is cheaper than a list.
  if (selected === to - from) return runOf(from, to);
  if (selected > (to - from) * maskShare) {
    return { count: selected, rows: { start: from, count: to - from, rows: 0 }, mask };
  }
  const count = kernel.rowsOfSelection(mask, unit.rowCount, scratch.rows);
  return { count, rows: { start: 0, count, rows: scratch.rows }, mask: 0 };
}

function runOf(from: number, to: number): Selection {
  return { count: to - from, rows: { start: from, count: to - from, rows: 0 }, mask: 0 };
}

/** Times ascend: two binary searches find the range. */
function timeRun(kernel: KernelOperations, unit: ScanUnit): readonly [number, number] {
  const bound = (ms: number): number => lowerBoundOfTimes(kernel, unit, BigInt(ms) - unit.timeBase);
  const from = unit.fromMs <= unit.minMs ? 0 : bound(unit.fromMs);
  const to = unit.toMs > unit.maxMs ? unit.rowCount : bound(unit.toMs);
  return [from, to];
}

function lowerBoundOfTimes(kernel: KernelOperations, unit: ScanUnit, bound: bigint): number {
  const { times, encodedTimes, rowCount } = unit;
  return encodedTimes?.kind === "packed"
    ? kernel.lowerBoundOfPacked(encodedTimes.address, rowCount, bound)
    : kernel.lowerBound(times, rowCount, bound);
}

/** Writes the rows that pass into mask `level`; deeper masks are scratch. */
function evaluate(
  context: SelectContext,
  unit: ScanUnit,
  filter: SegmentFilter,
  level: number,
): void {
  const { kernel, scratch } = context;
  const { rowCount } = unit;
  const out = scratch.masks[level];
  if (out === undefined) throw new Error("the filter is nested deeper than was checked");
  switch (filter.op) {
    case "every":
      kernel.selectRows(out, rowCount, 0, rowCount);
      return;
    case "none":
      kernel.selectRows(out, rowCount, 0, 0);
      return;
    case "all":
    case "any":
      combine(context, unit, filter, level);
      return;
    case "otherwise":
      negate(context, unit, filter.filter, level);
      return;
    case "bitmap":
      kernel.selectRows(out, rowCount, 0, rowCount);
      if (filter.negated) kernel.andNotInto(out, filter.bitmap, rowCount);
      else kernel.andInto(out, filter.bitmap, rowCount);
      return;
    case "derived":
      evaluate(context, unit, filter.filter, level);
      return;
    case "codes": {
      const { values, bitmap, codeCount } = filter;
      kernel.selectCodes(out, values, rowCount, bitmap, codeCount, scratch.codes);
      return;
    }
    case "range":
      kernel.selectRange(out, filter.values, rowCount, filter.low, filter.high);
      finishCondition(context, unit, filter, level);
      return;
    case "ints":
      selectInts(context, unit, filter, level);
      return;
    case "contains":
      searchText(context, unit, filter, level);
      finishCondition(context, unit, { ...filter.text, negated: filter.negated }, level);
      return;
    case "test":
      testRows(context, unit, filter, level);
      return;
  }
}

/** The rows that do not pass a filter. */
function negate(
  context: SelectContext,
  unit: ScanUnit,
  filter: SegmentFilter,
  level: number,
): void {
  const { kernel, scratch } = context;
  const { rowCount } = unit;
  const others = scratch.masks[level + 1];
  if (others === undefined) throw new Error("the filter is nested deeper than was checked");
  evaluate(context, unit, filter, level + 1);
  kernel.selectRows(scratch.masks[level]!, rowCount, 0, rowCount);
  kernel.andNotInto(scratch.masks[level]!, others, rowCount);
}

type IntsFilter = Extract<SegmentFilter, { op: "ints" }>;

function selectInts(
  context: SelectContext,
  unit: ScanUnit,
  filter: IntsFilter,
  level: number,
): void {
  const { rowCount } = unit;
  const out = context.scratch.masks[level]!;
  context.kernel.selectRows(out, rowCount, 0, 0);
  if (filter.wanted.length > intPassesMax) lookUpInts(context, rowCount, filter, out);
  else passForInts(context, rowCount, filter, level);
  finishCondition(context, unit, filter, level);
}

/** One pass of the kernel over all rows for each value. */
function passForInts(
  { kernel, scratch }: SelectContext,
  rowCount: number,
  { values, wanted }: IntsFilter,
  level: number,
): void {
  for (const value of wanted) {
    kernel.selectRange(scratch.masks[level + 1]!, values, rowCount, value, value);
    kernel.orInto(scratch.masks[level]!, scratch.masks[level + 1]!, rowCount);
  }
}

/** Marks the rows whose value is one of thousands, in a mask that is empty. */
function lookUpInts(
  { memory, reader }: SelectContext,
  rowCount: number,
  { values, wanted }: IntsFilter,
  out: number,
): void {
  const bits = new Uint8Array(memory.buffer, out, Math.ceil(rowCount / 8));
  const mark = (row: number): void => {
    bits[row >> 3]! |= 1 << (row & 7);
  };
  if (values.width === 8) {
    const among = new Set(wanted);
    for (let row = 0; row < rowCount; row++) {
      if (among.has(reader.int({ values, base: 0n }, row))) mark(row);
    }
    return;
  }
  const among = new Set(wanted.map(Number));
  for (let row = 0; row < rowCount; row++) if (among.has(reader.code(values, row))) mark(row);
}

function combine(
  context: SelectContext,
  unit: ScanUnit,
  filter: Extract<SegmentFilter, { op: "all" | "any" }>,
  level: number,
): void {
  const { kernel, scratch } = context;
  const { rowCount } = unit;
  const out = scratch.masks[level]!;
  // Without parts, "all" is true and "any" is false.
  kernel.selectRows(out, rowCount, 0, filter.op === "all" ? rowCount : 0);
  for (const part of filter.filters) {
    evaluate(context, unit, part, level + 1);
    if (filter.op === "all") kernel.andInto(out, scratch.masks[level + 1]!, rowCount);
    else kernel.orInto(out, scratch.masks[level + 1]!, rowCount);
  }
}

/** Negates if wanted, and removes rows without a value: no comparison is true for them. */
function finishCondition(
  { kernel, scratch }: SelectContext,
  { rowCount }: ScanUnit,
  { present, negated }: { readonly present: number; readonly negated: boolean },
  level: number,
): void {
  const out = scratch.masks[level]!;
  if (!negated) {
    if (present !== 0) kernel.andInto(out, present, rowCount);
    return;
  }
  const rest = scratch.masks[level + 1]!;
  kernel.selectRows(rest, rowCount, 0, rowCount);
  if (present !== 0) kernel.andInto(rest, present, rowCount);
  kernel.andNotInto(rest, out, rowCount);
  kernel.selectRows(out, rowCount, 0, 0);
  kernel.orInto(out, rest, rowCount);
}

/** Rows whose text contains the needle; rows without a text are removed later. */
function searchText(
  { kernel, scratch }: SelectContext,
  { rowCount }: ScanUnit,
  { text, needle }: Extract<SegmentFilter, { op: "contains" }>,
  level: number,
): void {
  const { signature, pageCount } = text;
  let pages = 0;
  if (signature !== null) {
    pages = scratch.masks[level + 1]!;
    kernel.selectPages(pages, signature, pageCount, needle);
  }
  const [page] = scratch.pages;
  page.holder = null;
  const { address } = page;
  const read = kernel.searchPages(scratch.masks[level]!, text, rowCount, pages, needle, address);
  if (read < 0) throw new Error("a page of text is damaged");
}

function testRows(
  context: SelectContext,
  unit: ScanUnit,
  filter: Extract<SegmentFilter, { op: "test" }>,
  level: number,
): void {
  const { kernel, scratch, memory } = context;
  const { rowCount } = unit;
  const out = scratch.masks[level]!;
  const automaton =
    filter.source.kind === "text" && filter.test.kind === "match"
      ? textAutomaton(filter.test.pattern)
      : null;
  const isSearched = filter.candidates !== null && automaton?.decidesAlone() !== true;
  evaluate(context, unit, isSearched ? filter.candidates : { op: "every" }, level);
  const count = kernel.rowsOfSelection(out, rowCount, scratch.rows);
  if (isSearched) automaton?.searched(count, rowCount);
  const rows = new Uint32Array(memory.buffer, scratch.rows, count);
  kernel.selectRows(out, rowCount, 0, 0);
  const bits = new Uint8Array(memory.buffer, out, Math.ceil(rowCount / 8));
  if (filter.overflown !== 0) kernel.selectRows(filter.overflown, rowCount, 0, 0);
  const test = createRowTest(context, filter);
  // Computed strings have no bitmap of missing ones: a missing string counts as failed.
  const wanted = filter.source.kind === "evaluated" ? !filter.negated : true;
  if (filter.source.kind === "text" && automaton !== null) {
    // A row without a text matches as an empty one; it is removed below with all missing ones.
    const match = { automaton, exact: (row: number) => test(row) === true };
    matchTexts(context, { texts: filter.source, count, out }, match);
  } else {
    for (const row of rows) if (test(row) === wanted) bits[row >> 3]! |= 1 << (row & 7);
  }
  if (filter.source.kind === "evaluated") return;
  finishCondition(context, unit, { ...filter.source, negated: filter.negated }, level);
}

/** Whether the row's string passes; null where it is missing or cannot be computed. */
function createRowTest(
  { memory, strings }: SelectContext,
  { source, test, overflown }: Extract<SegmentFilter, { op: "test" }>,
): (row: number) => boolean | null {
  const testString = createStringTest(test);
  if (source.kind !== "evaluated" || overflown === 0) {
    return (row) => {
      const value = strings.read(source, row);
      return value === null ? null : testString(value);
    };
  }
  const bits = new Uint8Array(memory.buffer);
  return (row) => {
    const cell = strings.rows.cell(source.row, row);
    if (cell === overflow) bits[overflown + (row >> 3)]! |= 1 << (row & 7);
    return typeof cell === "string" ? testString(cell) : null;
  };
}
