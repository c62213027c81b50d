import type { Steps } from "../../base/schedule/steps.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { FilterLowering } from "../filter/lowerFilter.js";
import { byTime, type LoweredQuery, lowerQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun, unitCountOf } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import { isCheapUnit } from "./cheapUnit.js";
import type { ScanContext } from "./scanContext.js";

/**
 * The edges of a range whose middle the aggregates answer: a tenth of a millisecond each, and no
 * group table to clear.
 */
const tinyUnitsMax = 3;
/**
 * A program takes some 30 microseconds for each: no more than half a millisecond in which no row is
 * taken in.
 */
const programUnitsMax = 16;

/** Whether the main thread has scanned it before another thread is awake. */
export function isTiny({ task, lanes }: LoweredQuery): boolean {
  const { units, sides, sample, branches } = task;
  return (
    sample === null &&
    branches.length === 0 &&
    lanes.length === 1 &&
    units.length <= tinyUnitsMax &&
    unitCountOf(task) - units.length <= programUnitsMax &&
    units.every(isCheapUnit) &&
    sides.every(({ table }) => table.kind === "single")
  );
}

export function scanOnMainThread(
  task: ScanTask,
  { memory, kernel, scratch }: Pick<ScanContext, "memory" | "kernel" | "scratch">,
): ScanAnswer {
  const run = new ScanRun({ memory: memory.memory, kernel, scratch }, task);
  while (!run.done) run.step();
  return run.answer();
}

/** What finding the first rows on the main thread needs. */
export interface FirstRowsPlace {
  readonly context: ScanContext;
  readonly memory: QueryMemory;
  readonly filters: FilterLowering;
}

export interface FirstRows {
  readonly lowered: LoweredQuery;
  readonly answer: ScanAnswer;
}

/**
 * The wanted raw rows, when the first few segments in the order of time have them all: the others
 * are not lowered. Null: they do not, or it would take the main thread too long.
 */
export function* firstRowsOnMainThread(
  query: ResolvedQuery,
  scanned: readonly SegmentView[],
  { context, memory, filters }: FirstRowsPlace,
): Steps<FirstRows | null> {
  if (query.sample === null || query.sample.orders !== undefined) return null;
  const ordered = byTime(scanned, query.sample, (segment) => segment);
  const first = ordered.slice(0, tinyUnitsMax);
  const id = context.nextTaskId();
  const lowered = yield* lowerQuery({ id, query, segments: [first], memory, filters });
  if (!lowered.task.units.every(isCheapUnit)) return null;
  const run = new ScanRun(
    { memory: context.memory.memory, kernel: context.kernel, scratch: context.scratch },
    lowered.task,
  );
  while (!run.done) run.step();
  const next = ordered[tinyUnitsMax];
  if (next !== undefined && !run.canSkip(next)) return null;
  return { lowered, answer: run.answer() };
}
