import type { HistogramShape } from "@hadal/kernel-wasm";
import { type BucketWeights, createWeights, weightBytesFor } from "../aggregate/bucketWeights.js";

/** Where a group that has no values would have its counters. */
export const noNumber = 2 ** 32 - 1;

/** So many groups, evenly spread, tell whether runs are worth it. */
const probesMax = 64;
/** Runs are while so many cells stand for one bucket that holds something, on average: naming the buckets takes thrice the bytes. */
const cellsPerBucketMax = 3;
/** 64 MiB while they are read. */
const cellsMax = 16_777_216;

interface Runs {
  readonly offsets: Uint32Array;
  /** The first bucket of each group. */
  readonly buckets: Int16Array;
  readonly weights: BucketWeights;
}

/** Per group the counters from the first to the last that is not 0, as they lie; null where most of these are 0. */
export function readRuns(
  { buffer }: WebAssembly.Memory,
  counterBytes: 4 | 8,
  { histogram, shape }: { readonly histogram: number; readonly shape: HistogramShape },
  numbers: Uint32Array,
): Runs | null {
  const { firstBucket, bucketCount } = shape;
  const present = numbers.filter((number) => number !== noNumber);
  if (present.length * bucketCount > cellsMax) return null;
  const last = present.reduce((most, number) => Math.max(most, number), -1);
  const reader = new RowReader(buffer, counterBytes, histogram, bucketCount, last + 1);
  if (!isDense(reader, present)) return null;
  const offsets = new Uint32Array(numbers.length + 1);
  const buckets = new Int16Array(numbers.length);
  const room = present.length * bucketCount;
  const cells = counterBytes === 4 ? new Uint32Array(room) : new Float64Array(room);
  let used = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== noNumber && reader.measure(numbers[i]!)) {
      buckets[i] = firstBucket + reader.first;
      reader.copy(cells, used);
      used += reader.end - reader.first;
    }
    offsets[i + 1] = used;
  }
  const weights = createWeights(weightBytesFor(reader.largest), used);
  weights.set(cells.subarray(0, used));
  return { offsets, buckets, weights };
}

function isDense(reader: RowReader, numbers: Uint32Array): boolean {
  const step = Math.max(1, Math.floor(numbers.length / probesMax));
  let cells = 0;
  let filled = 0;
  for (let i = 0; i < numbers.length; i += step) {
    if (!reader.measure(numbers[i]!)) continue;
    cells += reader.end - reader.first;
    filled += reader.filled;
  }
  return cells <= filled * cellsPerBucketMax;
}

/** Reads one group's counters at a time. */
class RowReader {
  /** Of the group last measured: [first, end) holds all counters that are not 0, and how many these are. */
  first = 0;
  end = 0;
  filled = 0;
  /** Of all groups measured. */
  largest = 0;
  #start = 0;
  readonly #words: Uint32Array;

  constructor(
    buffer: ArrayBufferLike,
    private readonly counterBytes: 4 | 8,
    histogram: number,
    private readonly bucketCount: number,
    groupCount: number,
  ) {
    this.#words = new Uint32Array(
      buffer,
      histogram,
      (groupCount * bucketCount * counterBytes) / Uint32Array.BYTES_PER_ELEMENT,
    );
  }

  /** False: the group has nothing. */
  measure(number: number): boolean {
    this.filled = 0;
    this.#start = number * this.bucketCount;
    if (this.counterBytes === 4) this.#measureWords();
    else this.#measurePairs();
    return this.filled > 0;
  }

  #measureWords(): void {
    const words = this.#words;
    const start = this.#start;
    let [first, last, filled, largest] = [-1, -1, 0, this.largest];
    for (let cell = 0; cell < this.bucketCount; cell++) {
      const weight = words[start + cell]!;
      if (weight === 0) continue;
      if (first < 0) first = cell;
      last = cell;
      filled++;
      if (weight > largest) largest = weight;
    }
    this.#found(first, last, filled, largest);
  }

  #measurePairs(): void {
    let [first, last, filled, largest] = [-1, -1, 0, this.largest];
    for (let cell = 0; cell < this.bucketCount; cell++) {
      const weight = this.#pairAt(cell);
      if (weight === 0) continue;
      if (first < 0) first = cell;
      last = cell;
      filled++;
      if (weight > largest) largest = weight;
    }
    this.#found(first, last, filled, largest);
  }

  #found(first: number, last: number, filled: number, largest: number): void {
    this.first = first;
    this.end = last + 1;
    this.filled = filled;
    this.largest = largest;
  }

  /** Weights stay below 2^53. */
  #pairAt(cell: number): number {
    const at = (this.#start + cell) * 2;
    return this.#words[at + 1]! * 2 ** 32 + this.#words[at]!;
  }

  /** Copies [first, end) of the group last measured. */
  copy(out: Uint32Array | Float64Array, at: number): void {
    if (this.counterBytes === 4) {
      const start = this.#start;
      out.set(this.#words.subarray(start + this.first, start + this.end), at);
      return;
    }
    for (let cell = this.first; cell < this.end; cell++)
      out[at + cell - this.first] = this.#pairAt(cell);
  }
}
