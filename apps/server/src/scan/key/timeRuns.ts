import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import type { Scratch } from "../memory/scratch.js";
import type { ComponentTask, ScanUnit, SideTask } from "../task/scanTask.js";

/** Finding and adding a run costs as much as numbering the groups of this many rows. */
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

/** Whether runs, one for each bucket that the unit overlaps, are long enough on average. */
export function hasLongRuns(
  memory: WebAssembly.Memory,
  unit: ScanUnit,
  component: TimeComponent,
  rowCount: number,
): boolean {
  if (!unit.sorted) return false;
  const edges = edgeWords(memory, component);
  const first = edgesUpTo(edges, Math.max(unit.minMs, unit.fromMs));
  const last = edgesUpTo(edges, Math.min(unit.maxMs, unit.toMs - 1));
  return (last - first + 1) * rowsPerRunMin <= rowCount;
}

interface RunContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/**
 * Rows of a sorted unit in runs of one bucket. Packed times are searched as they are: they need not
 * be decoded for it.
 */
export function findTimeRuns(
  context: RunContext,
  unit: ScanUnit,
  component: TimeComponent,
  rows: RowSet,
): TimeRun[] {
  const { encodedTimes, times, timeBase } = unit;
  if (encodedTimes?.kind === "packed") {
    return findPackedRuns(context, { unit, address: encodedTimes.address }, component, rows);
  }
  const { memory, kernel, scratch } = context;
  const { edges, edgeCount } = component;
  // The keys of the scratch are unused at this point.
  const runCount = kernel.findRuns(scratch.keys, times, timeBase, rows, edges, edgeCount);
  const found = new Uint32Array(memory.buffer, scratch.keys, runCount * 2);
  return Array.from({ length: runCount }, (_, run) => {
    const from = found[run * 2]!;
    const to = run + 1 < runCount ? found[run * 2 + 2]! : rows.count;
    return { rows: partOf(rows, from, to), bucket: found[run * 2 + 1]! };
  });
}

/** One search for each bucket that the unit overlaps, in one call. */
function findPackedRuns(
  { memory, kernel, scratch }: RunContext,
  { unit, address }: { readonly unit: ScanUnit; readonly address: number },
  component: TimeComponent,
  rows: RowSet,
): TimeRun[] {
  if (rows.count === 0) return [];
  const edges = edgeWords(memory, component);
  const lastBucket = component.edgeCount - 2;
  const bucketOf = (timeMs: number): number =>
    Math.min(Math.max(edgesUpTo(edges, timeMs) - 1, 0), lastBucket);
  const firstBucket = bucketOf(Math.max(unit.minMs, unit.fromMs));
  const endCount = bucketOf(Math.min(unit.maxMs, unit.toMs - 1)) - firstBucket;
  const ends = component.edges + (firstBucket + 1) * 8;
  kernel.lowerBoundsOfPacked(
    ...([scratch.keys, address, unit.rowCount, ends, endCount, unit.timeBase] as const),
  );
  const found = new Uint32Array(memory.buffer, scratch.keys, endCount);
  const runs: TimeRun[] = [];
  let from = 0;
  for (let i = 0; i <= endCount; i++) {
    const to = i < endCount ? placeOf(kernel, rows, found[i]!) : rows.count;
    if (to > from) runs.push({ rows: partOf(rows, from, to), bucket: firstBucket + i });
    from = to;
  }
  return runs;
}

/** How many rows of the set come before this one. */
function placeOf(kernel: KernelOperations, rows: RowSet, row: number): number {
  if (rows.rows === 0) return Math.min(Math.max(row - rows.start, 0), rows.count);
  return kernel.lowerBound({ address: rows.rows, width: 4 }, rows.count, BigInt(row));
}

function partOf({ start, rows }: RowSet, from: number, to: number): RowSet {
  const count = to - from;
  return rows === 0
    ? { start: start + from, count, rows }
    : { start, count, rows: rows + from * 4 };
}

/** Low and high half of each edge: making a bigint of each would take longer than the search. */
function edgeWords(
  { buffer }: WebAssembly.Memory,
  { edges, edgeCount }: TimeComponent,
): Int32Array {
  return new Int32Array(buffer, edges, edgeCount * 2);
}

/** How many edges are at or below the time; all are exact as doubles. */
function edgesUpTo(edges: Int32Array, timeMs: number): number {
  let low = 0;
  let high = edges.length / 2;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const edgeMs = edges[2 * middle + 1]! * 2 ** 32 + (edges[2 * middle]! >>> 0);
    if (edgeMs <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
