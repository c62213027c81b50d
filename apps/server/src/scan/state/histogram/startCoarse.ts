import { type BucketList, coarserBucket } from "@hadal/kernel-wasm";
import {
  type CoarseHistogram,
  type FineHistogram,
  fullCounter,
  type HistogramContext,
  type HistogramProgress,
  type HistogramTask,
} from "../../task/histogramTask.js";
import { hashPairs } from "./hashPairs.js";

type DenseHistogram = Extract<CoarseHistogram, { readonly kind: "dense" }>;
type SparseHistogram = Extract<CoarseHistogram, { readonly kind: "sparse" }>;

/** Clears the coarse histograms and moves the fine ones into them. */
export function startCoarse(
  context: HistogramContext,
  task: HistogramTask,
  progress: HistogramProgress,
): void {
  const { fine, coarse } = task;
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
  const groupOf = new Uint32Array(buffer, fine.groupOf, progress.numbered);
  const add =
    coarse.kind === "dense" ? addCells(buffer, coarse) : addPairs(context, coarse, progress);
  const found = new FilledCells(context, fine, coarse.shape.subBits);
  for (let number = 0; number < progress.numbered; number++) {
    found.read(number);
    add(groupOf[number]!, found);
  }
}

/** Adds a group's fine histogram. */
type Add = (group: number, found: FilledCells) => void;

/** Reads the fine histogram of one group number at a time. */
class FilledCells {
  count = 0;
  /** As the coarser histogram numbers them; two may be the same. */
  readonly buckets: Int32Array;
  readonly weights: Float64Array;
  readonly #out: BucketList;
  readonly #listed: Int32Array;
  readonly #listedWeights: Float64Array;
  /** The end of the list, and its group. */
  readonly #head: Uint32Array;

  readonly #context: HistogramContext;
  readonly #fine: FineHistogram;
  readonly #subBits: number;

  /** Lists into the scratch's keys: nothing is kept there from one state to the next. */
  constructor(context: HistogramContext, fine: FineHistogram, subBits: number) {
    this.#context = context;
    this.#fine = fine;
    this.#subBits = subBits;
    const { buffer } = context.memory;
    const { bucketCount } = fine.shape;
    const weights = context.scratch.keys;
    const buckets = weights + bucketCount * 8;
    const ends = buckets + bucketCount * 4;
    this.buckets = new Int32Array(bucketCount);
    this.weights = new Float64Array(bucketCount);
    this.#out = { buckets, weights, ends, room: bucketCount };
    this.#listed = new Int32Array(buffer, buckets, bucketCount);
    this.#listedWeights = new Float64Array(buffer, weights, bucketCount);
    this.#head = new Uint32Array(buffer, ends, 2);
  }

  read(number: number): void {
    const { histogram, counterBytes, shape } = this.#fine;
    const [out, head] = [this.#out, this.#head];
    head[1] = number;
    this.#context.kernel.listBuckets(out, histogram, counterBytes, out.ends + 4, 1, shape);
    this.count = head[0]!;
    for (let i = 0; i < this.count; i++) {
      this.buckets[i] = coarserBucket(this.#listed[i]!, shape.subBits, this.#subBits);
      this.weights[i] = this.#listedWeights[i]!;
    }
  }
}

function addCells(buffer: ArrayBufferLike, coarse: DenseHistogram): Add {
  const { bucketCount, firstBucket } = coarse.shape;
  const add = counterAdder(buffer, coarse);
  return (group, { count, buckets, weights }) => {
    const origin = group * bucketCount - firstBucket;
    for (let i = 0; i < count; i++) add(origin + buckets[i]!, weights[i]!);
  };
}

/** Adds to the counter of this number. */
function counterAdder(
  buffer: ArrayBufferLike,
  { histogram, shape, counterBytes, spilled, groupCount }: DenseHistogram,
): (cell: number, weight: number) => void {
  const count = groupCount * shape.bucketCount;
  if (counterBytes === 8) {
    const words = new Uint32Array(buffer, histogram, count * 2);
    return (cell, weight) => {
      const total = words[cell * 2 + 1]! * 2 ** 32 + words[cell * 2]! + weight;
      // The store keeps the part below 2^32.
      words[cell * 2] = total;
      words[cell * 2 + 1] = total / 2 ** 32;
    };
  }
  const counters =
    counterBytes === 1
      ? new Uint8Array(buffer, histogram, count)
      : new Uint16Array(buffer, histogram, count);
  return (cell, weight) => addSmall(buffer, counters, cell, spilled, weight);
}

/**
 * As in the kernel, a used counter is never 0. Five parameters and no object, as it is called for a
 * counter.
 */
function addSmall(
  buffer: ArrayBufferLike,
  counters: Uint8Array | Uint16Array,
  cell: number,
  spilled: number,
  weight: number,
): void {
  const full = fullCounter(counters.BYTES_PER_ELEMENT as 1 | 2);
  const total = counters[cell]! + weight;
  const times = Math.max(0, Math.ceil(total / full) - 1);
  counters[cell] = total - times * full;
  if (times === 0) return;
  const at = counters.byteOffset + cell * counters.BYTES_PER_ELEMENT;
  const [known] = new Uint32Array(buffer, spilled, 1);
  new Uint32Array(buffer, spilled + 4 + known! * 4, times).fill(at);
  new Uint32Array(buffer, spilled, 1)[0] = known! + times;
}

function addPairs(
  { memory, kernel, scratch }: HistogramContext,
  coarse: SparseHistogram,
  progress: HistogramProgress,
): Add {
  const { bucketCount, firstBucket } = coarse.shape;
  return (group, { count, buckets, weights }) => {
    const keys = new BigUint64Array(memory.buffer, scratch.keys, count);
    const firstKey = BigInt(group) * BigInt(bucketCount);
    for (let i = 0; i < count; i++) keys[i] = firstKey + BigInt(buckets[i]! - firstBucket);
    progress.pairs = hashPairs(kernel, scratch, coarse, {
      count,
      known: progress.pairs,
    });
    const pairs = new Uint32Array(memory.buffer, scratch.pairs, count);
    const sums = new BigInt64Array(memory.buffer, coarse.weights, progress.pairs);
    for (let i = 0; i < count; i++) sums[pairs[i]!]! += BigInt(weights[i]!);
  };
}
