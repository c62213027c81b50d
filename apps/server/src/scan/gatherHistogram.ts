import {
  coarserBucket,
  type HistogramShape,
  type KernelOperations,
  type RowSet,
} from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import {
  type CoarseHistogram,
  type Counters,
  type FineHistogram,
  fullCounter,
  HistogramProgress,
  type HistogramTask,
} from "./histogramTask.js";
import type { ScanUnit, SegmentInput } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

export interface HistogramContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/** Before the first segment: only what is not cleared as groups turn up. */
export function clearHistogram(
  memory: WebAssembly.Memory,
  task: HistogramTask,
  groupCount: number,
): void {
  new HistogramProgress(memory, task).clear();
  const { numberOf, groupsMax } = task.fine;
  if (numberOf === 0) clearNumbers(memory, task, 0, groupsMax);
  else new Uint32Array(memory.buffer, numberOf, groupCount).fill(0);
}

/** Adds the values of the rows to the histograms of their groups. `groups` 0: all rows are of group 0. */
export function gatherHistogram(
  context: HistogramContext,
  task: HistogramTask,
  unit: ScanUnit,
  rows: RowSet,
  groups: number,
  input: SegmentInput,
): void {
  const progress = new HistogramProgress(context.memory, task);
  if (!progress.isCoarse) {
    const numbers = numberGroups(context, task, progress, groups, rows.count);
    if (numbers !== null) {
      addRows(context.kernel, task.fine, unit, rows, numbers, input);
      return;
    }
    startCoarse(context, task, progress);
  }
  const { coarse } = task;
  if (coarse === null) throw new Error("more groups than were announced");
  if (coarse.kind === "sparse") {
    addPairs(context, coarse, progress, unit, rows, groups, input);
  } else {
    addRows(context.kernel, coarse, unit, rows, groups, input);
  }
}

function addRows(
  kernel: KernelOperations,
  { histogram, shape, counterBytes, spilled }: Counters,
  unit: ScanUnit,
  rows: RowSet,
  groups: number,
  { values, base, present, small }: SegmentInput,
): void {
  if (counterBytes !== 8) {
    kernel.countInHistograms(
      ...([histogram, counterBytes, spilled, groups, rows] as const),
      ...([values, base, present, small, shape] as const),
    );
    return;
  }
  const { subBits, firstBucket, bucketCount } = shape;
  kernel.addToHistograms(
    ...([histogram, groups, rows, values, base, unit.weights, present] as const),
    ...([subBits, firstBucket, bucketCount] as const),
  );
}

/** Numbers of the groups in the fine histograms, those of new groups cleared; null when there are too many. */
function numberGroups(
  { memory, kernel, scratch }: HistogramContext,
  task: HistogramTask,
  progress: HistogramProgress,
  groups: number,
  count: number,
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

/** Clears the coarse histograms and moves into them what the fine ones hold. */
function startCoarse(
  context: HistogramContext,
  task: HistogramTask,
  progress: HistogramProgress,
): void {
  const { coarse } = task;
  if (coarse === null) throw new Error("more groups than were announced");
  const { kernel, memory } = context;
  const { buffer } = memory;
  progress.becomeCoarse();
  if (coarse.kind === "dense") {
    const denseBytes = coarse.groupCount * coarse.shape.bucketCount * coarse.counterBytes;
    // Every extent is a multiple of 8 bytes long.
    kernel.clearKeys(coarse.histogram, Math.ceil(denseBytes / 8));
    if (coarse.spilled !== 0) new Uint32Array(buffer, coarse.spilled, 1).fill(0);
  } else {
    kernel.clearHashTable(coarse.table);
    kernel.clearKeys(coarse.weights, coarse.table.groupsMax);
  }
  for (let number = 0; number < progress.numbered; number++) {
    moveGroup(context, task, coarse, progress, number);
  }
}

/** Adds one fine histogram to the coarse one of its group. */
function moveGroup(
  { memory, kernel, scratch }: HistogramContext,
  { fine }: HistogramTask,
  coarse: CoarseHistogram,
  progress: HistogramProgress,
  number: number,
): void {
  const { buffer } = memory;
  const group = new Uint32Array(buffer, fine.groupOf, fine.groupsMax)[number]!;
  const moved = movedCells(buffer, fine, coarse.shape, number);
  if (coarse.kind === "dense") {
    addCounters(buffer, coarse, group, moved);
    return;
  }
  const keys = new BigUint64Array(buffer, scratch.keys, moved.size);
  const firstKey = BigInt(group) * BigInt(coarse.shape.bucketCount);
  [...moved.keys()].forEach((cell, i) => {
    keys[i] = firstKey + BigInt(cell);
  });
  progress.pairs = hashPairs(kernel, scratch, coarse, moved.size, progress.pairs);
  const pairs = new Uint32Array(buffer, scratch.pairs, moved.size);
  const weights = new BigInt64Array(buffer, coarse.weights, progress.pairs);
  [...moved.values()].forEach((weight, i) => {
    weights[pairs[i]!]! += weight;
  });
}

/** What a fine histogram holds, by the cell of the coarser one. */
function movedCells(
  buffer: ArrayBufferLike,
  { histogram, shape, counterBytes }: FineHistogram,
  to: HistogramShape,
  number: number,
): ReadonlyMap<number, bigint> {
  const { bucketCount, firstBucket, subBits } = shape;
  const start = histogram + number * bucketCount * counterBytes;
  const wide = counterBytes === 8 ? new BigInt64Array(buffer, start, bucketCount) : null;
  const wordsPerCounter = counterBytes / 4;
  const words = new Uint32Array(buffer, start, bucketCount * wordsPerCounter);
  const moved = new Map<number, bigint>();
  // Most counters are 0, of thousands in each of a thousand groups: only the others become bigints.
  for (let at = nextFilled(words, 0); at < words.length; ) {
    const i = Math.floor(at / wordsPerCounter);
    const weight = wide === null ? BigInt(words[i]!) : wide[i]!;
    const cell = coarserBucket(firstBucket + i, subBits, to.subBits) - to.firstBucket;
    moved.set(cell, (moved.get(cell) ?? 0n) + weight);
    at = nextFilled(words, (i + 1) * wordsPerCounter);
  }
  return moved;
}

/** The first word from `from` on that is not 0; behind the last if there is none. */
function nextFilled(words: Uint32Array, from: number): number {
  let at = from;
  while (at < words.length && words[at] === 0) at++;
  return at;
}

function addCounters(
  buffer: ArrayBufferLike,
  { histogram, shape, counterBytes, spilled }: Counters,
  group: number,
  moved: ReadonlyMap<number, bigint>,
): void {
  for (const [cell, weight] of moved) {
    const at = histogram + (group * shape.bucketCount + cell) * counterBytes;
    if (counterBytes === 8) new BigInt64Array(buffer, at, 1)[0]! += weight;
    else if (counterBytes === 4) new Uint32Array(buffer, at, 1)[0]! += Number(weight);
    else addSmall(buffer, at, counterBytes, spilled, Number(weight));
  }
}

/** As the kernel does: a counter that has counted is never 0. */
function addSmall(
  buffer: ArrayBufferLike,
  at: number,
  counterBytes: 1 | 2,
  spilled: number,
  weight: number,
): void {
  const counter =
    counterBytes === 1 ? new Uint8Array(buffer, at, 1) : new Uint16Array(buffer, at, 1);
  const full = fullCounter(counterBytes);
  const total = counter[0]! + weight;
  const times = Math.max(0, Math.ceil(total / full) - 1);
  const [known] = new Uint32Array(buffer, spilled, 1);
  new Uint32Array(buffer, spilled + 4 + known! * 4, times).fill(at);
  new Uint32Array(buffer, spilled, 1)[0] = known! + times;
  counter[0] = total - times * full;
}

/** With many groups most buckets stay empty: pairs of group and bucket are hashed, and weights summed by pair. */
function addPairs(
  { kernel, scratch }: HistogramContext,
  coarse: Extract<CoarseHistogram, { kind: "sparse" }>,
  progress: HistogramProgress,
  unit: ScanUnit,
  rows: RowSet,
  groups: number,
  { values, base, present }: SegmentInput,
): void {
  const { keys, pairs, pairRows } = scratch;
  const count = kernel.bucketKeys(
    ...([keys, pairRows, groups, rows, values, base, present] as const),
    coarse.shape,
  );
  progress.pairs = hashPairs(kernel, scratch, coarse, count, progress.pairs);
  kernel.addWeights(coarse.weights, pairs, { start: 0, count, rows: pairRows }, unit.weights, 0);
}

function hashPairs(
  kernel: KernelOperations,
  scratch: Scratch,
  { table }: Extract<CoarseHistogram, { kind: "sparse" }>,
  count: number,
  before: number,
): number {
  const after = kernel.hashKeys(scratch.pairs, scratch.keys, count, table, before);
  if (after >= 0) return after;
  const neededBytes = table.groupsMax * 2 * 32;
  throw new HadalError("query-memory", {
    neededBytes,
    limitName: "histogramPairsMax",
    freeBytes: neededBytes / 2,
  });
}
