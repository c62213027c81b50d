import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import type { ComponentTask, ScanUnit, SideTask } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

/** Finding a run and gathering it costs about as much as numbering the groups of so many rows. */
const rowsPerRunMin = 32;

/** Neighbouring rows of one time bucket. */
export interface TimeRun {
  readonly rows: RowSet;
  readonly bucket: number;
}

type TimeComponent = Extract<ComponentTask, { kind: "time" }>;

/** The side's one component of time buckets and where it is; null when it has none or several. */
export function timeComponentOf(
  side: SideTask,
): { readonly component: TimeComponent; readonly index: number } | null {
  const found = side.components.flatMap((component, index) =>
    component.kind === "time" ? [{ component, index }] : [],
  );
  return found.length === 1 ? found[0]! : null;
}

/** Whether so many rows of the unit lie in runs that are worth it, one for each bucket that it reaches into. */
export function hasLongRuns(
  memory: WebAssembly.Memory,
  unit: ScanUnit,
  { edges, edgeCount }: TimeComponent,
  rowCount: number,
): boolean {
  if (!unit.sorted) return false;
  const edgesMs = new BigInt64Array(memory.buffer, edges, edgeCount);
  const first = edgesUpTo(edgesMs, BigInt(Math.max(unit.minMs, unit.fromMs)));
  const last = edgesUpTo(edgesMs, BigInt(Math.min(unit.maxMs, unit.toMs - 1)));
  return (last - first + 1) * rowsPerRunMin <= rowCount;
}

interface RunContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/** Rows of a sorted unit in runs of one bucket. Packed times are searched as they are: they need not be decoded for it. */
export function findTimeRuns(
  context: RunContext,
  unit: ScanUnit,
  component: TimeComponent,
  rows: RowSet,
): TimeRun[] {
  const { encodedTimes, times, timeBase } = unit;
  if (encodedTimes?.kind === "packed") {
    return findPackedRuns(context, unit, encodedTimes.address, component, rows);
  }
  const { memory, kernel, scratch } = context;
  const { edges, edgeCount } = component;
  // Nobody keeps anything there while runs of time are looked for.
  const runCount = kernel.findRuns(scratch.keys, times, timeBase, rows, edges, edgeCount);
  const found = new Uint32Array(memory.buffer, scratch.keys, runCount * 2);
  return Array.from({ length: runCount }, (_, run) => {
    const from = found[run * 2]!;
    const to = run + 1 < runCount ? found[run * 2 + 2]! : rows.count;
    return { rows: partOf(rows, from, to), bucket: found[run * 2 + 1]! };
  });
}

/** One search for each bucket that the unit reaches into. */
function findPackedRuns(
  { memory, kernel }: RunContext,
  unit: ScanUnit,
  address: number,
  { edges, edgeCount }: TimeComponent,
  rows: RowSet,
): TimeRun[] {
  const edgesMs = new BigInt64Array(memory.buffer, edges, edgeCount);
  const placeOf = (timeMs: bigint): number => {
    const row = kernel.lowerBoundOfPacked(address, unit.rowCount, timeMs - unit.timeBase);
    if (rows.rows === 0) return Math.min(Math.max(row - rows.start, 0), rows.count);
    return kernel.lowerBound({ address: rows.rows, width: 4 }, rows.count, BigInt(row));
  };
  const runs: TimeRun[] = [];
  const lastBucket = edgeCount - 2;
  const firstMs = BigInt(Math.max(unit.minMs, unit.fromMs));
  let bucket = Math.max(0, edgesUpTo(edgesMs, firstMs) - 1);
  for (let from = 0; from < rows.count; bucket++) {
    const to = bucket < lastBucket ? placeOf(edgesMs[bucket + 1]!) : rows.count;
    if (to > from) runs.push({ rows: partOf(rows, from, to), bucket });
    from = to;
  }
  return runs;
}

function partOf({ start, rows }: RowSet, from: number, to: number): RowSet {
  const count = to - from;
  return rows === 0
    ? { start: start + from, count, rows }
    : { start, count, rows: rows + from * 4 };
}

/** How many edges are at or below the time. */
function edgesUpTo(edgesMs: BigInt64Array, timeMs: bigint): number {
  let low = 0;
  let high = edgesMs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edgesMs[middle]! <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
