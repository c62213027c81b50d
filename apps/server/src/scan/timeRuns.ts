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

export function findTimeRuns(
  {
    memory,
    kernel,
    scratch,
  }: {
    readonly memory: WebAssembly.Memory;
    readonly kernel: KernelOperations;
    readonly scratch: Scratch;
  },
  { times, timeBase }: ScanUnit,
  { edges, edgeCount }: TimeComponent,
  rows: RowSet,
): TimeRun[] {
  // Only hash tables have keys.
  const runCount = kernel.findRuns(scratch.keys, times, timeBase, rows, edges, edgeCount);
  const found = new Uint32Array(memory.buffer, scratch.keys, runCount * 2);
  return Array.from({ length: runCount }, (_, run) => {
    const from = found[run * 2]!;
    const to = run + 1 < runCount ? found[run * 2 + 2]! : rows.count;
    return { rows: partOf(rows, from, to), bucket: found[run * 2 + 1]! };
  });
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
