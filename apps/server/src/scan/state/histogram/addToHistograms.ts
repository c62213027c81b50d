import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import {
  type CoarseHistogram,
  type Counters,
  type HistogramContext,
  HistogramProgress,
  type HistogramTask,
} from "../../task/histogramTask.js";
import type { AddedUnit, SegmentInput } from "../../task/scanTask.js";
import { hashPairs } from "./hashPairs.js";
import { startCoarse } from "./startCoarse.js";

/** Before the first segment, clears memory that is not cleared as groups turn up. */
export function prepareHistograms(
  memory: WebAssembly.Memory,
  task: HistogramTask,
  groupCount: number,
): void {
  new HistogramProgress(memory, task).clear();
  const { numberOf, groupsMax } = task.fine;
  if (numberOf === 0) clearNumbers(memory, task, 0, groupsMax);
  else new Uint32Array(memory.buffer, numberOf, groupCount).fill(0);
}

/** Rows whose values are counted. */
export interface CountedRows {
  readonly unit: AddedUnit;
  readonly rows: RowSet;
  /** Address of their group numbers; 0: all rows are of group 0. */
  readonly groups: number;
  readonly input: SegmentInput;
}

/** Adds the values of the rows to the histograms of their groups. */
export function addToHistograms(
  context: HistogramContext,
  task: HistogramTask,
  counted: CountedRows,
): void {
  const progress = new HistogramProgress(context.memory, task);
  if (!progress.isCoarse) {
    const numbers = numberGroups(context, task, progress, counted);
    if (numbers !== null) {
      addRows(context.kernel, task.fine, { ...counted, groups: numbers });
      return;
    }
    startCoarse(context, task, progress);
  }
  const { coarse } = task;
  if (coarse === null) throw new Error("more groups than were announced");
  if (coarse.kind === "sparse") {
    addPairs(context, coarse, progress, counted);
  } else {
    addRows(context.kernel, coarse, counted);
  }
}

function addRows(
  kernel: KernelOperations,
  { histogram, shape, counterBytes, spilled }: Counters,
  { unit, rows, groups, input }: CountedRows,
): void {
  const { values, base, present, small } = input;
  if (counterBytes !== 8) {
    kernel.countInHistograms(
      ...([histogram, counterBytes, spilled, groups, rows] as const),
      ...([values, base, present, small, shape] as const),
    );
    return;
  }
  kernel.addToHistograms(
    ...([histogram, groups, rows, values, base, unit.weights, present, small, shape] as const),
  );
}

/**
 * Numbers of the groups in the fine histograms, those of new groups cleared; null when there are
 * too many.
 */
function numberGroups(
  { memory, kernel, scratch }: HistogramContext,
  task: HistogramTask,
  progress: HistogramProgress,
  { groups, rows: { count } }: CountedRows,
): number | null {
  const { numberOf, groupOf, groupsMax } = task.fine;
  if (numberOf === 0 || groups === 0) return groups;
  const known = progress.numbered;
  const numbered = kernel.numberGroups(
    ...([scratch.pairs, groups, count, numberOf, groupOf, known, groupsMax] as const),
  );
  if (numbered < 0) return null;
  clearNumbers(memory, task, known, numbered);
  progress.numbered = numbered;
  return scratch.pairs;
}

function clearNumbers(
  { buffer }: WebAssembly.Memory,
  { fine }: HistogramTask,
  from: number,
  to: number,
): void {
  // Fine counters have 4 bytes, or 8.
  const groupBytes = fine.shape.bucketCount * fine.counterBytes;
  const wordCount = ((to - from) * groupBytes) / 4;
  new Uint32Array(buffer, fine.histogram + from * groupBytes, wordCount).fill(0);
}

/**
 * With many groups most buckets stay empty: pairs of group and bucket are hashed, and weights
 * summed by pair.
 */
function addPairs(
  { kernel, scratch }: HistogramContext,
  coarse: Extract<CoarseHistogram, { kind: "sparse" }>,
  progress: HistogramProgress,
  { unit, rows, groups, input }: CountedRows,
): void {
  const { values, base, present } = input;
  const { keys, pairs, pairRows } = scratch;
  const count = kernel.bucketKeys(
    ...([keys, pairRows, groups, rows, values, base, present] as const),
    coarse.shape,
  );
  progress.pairs = hashPairs(kernel, scratch, coarse, {
    count,
    known: progress.pairs,
  });
  kernel.addWeights(coarse.weights, pairs, { start: 0, count, rows: pairRows }, unit.weights, 0);
}
