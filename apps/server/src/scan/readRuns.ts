import { type BucketWeights, createWeights } from "../aggregate/bucketWeights.js";
import { type Counters, spilledCount } from "./histogramTask.js";

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
  memory: WebAssembly.Memory,
  counters: Counters,
  numbers: Uint32Array,
): Runs | null {
  const { firstBucket, bucketCount } = counters.shape;
  const present = numbers.filter((number) => number !== noNumber);
  if (present.length * bucketCount > cellsMax) return null;
  const last = present.reduce((most, number) => Math.max(most, number), -1);
  const reader = new RowReader(memory.buffer, counters, last + 1);
  if (!isDense(reader, present)) return null;
  const offsets = new Uint32Array(numbers.length + 1);
  const buckets = new Int16Array(numbers.length);
  const room = present.length * bucketCount;
  const spilled = readSpilled(memory, counters);
  // As wide as the counters are, so that they are copied as they lie; weights seldom need their 8 bytes.
  const isPlain = counters.counterBytes === 2 && spilled.length === 0;
  let cells = createWeights(isPlain ? 2 : 4, room);
  let used = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== noNumber && reader.measure(numbers[i]!)) {
      buckets[i] = firstBucket + reader.first;
      if (cells.BYTES_PER_ELEMENT < 8 && reader.isWide()) cells = Float64Array.from(cells);
      reader.copy(cells, used);
      used += reader.end - reader.first;
    }
    offsets[i + 1] = used;
  }
  for (const { number, cell, weight } of spilled) {
    const place = numbers.indexOf(number);
    if (place < 0) continue;
    cells[offsets[place]! + firstBucket + cell - buckets[place]!]! += weight;
  }
  return { offsets, buckets, weights: cells.subarray(0, used) };
}

interface Spilled {
  readonly number: number;
  readonly cell: number;
  readonly weight: number;
}

/** What counters have counted beyond what they hold, each of them once. */
export function readSpilled(
  { buffer }: WebAssembly.Memory,
  { histogram, shape, spilled }: Counters,
): readonly Spilled[] {
  if (spilled === 0) return [];
  const [count] = new Uint32Array(buffer, spilled, 1);
  const times = new Map<number, number>();
  for (const address of new Uint32Array(buffer, spilled + 4, count)) {
    times.set(address, (times.get(address) ?? 0) + 1);
  }
  return Array.from(times, ([address, often]) => {
    const at = (address - histogram) / Uint16Array.BYTES_PER_ELEMENT;
    const cell = at % shape.bucketCount;
    return {
      number: (at - cell) / shape.bucketCount,
      cell,
      weight: often * spilledCount,
    };
  });
}

function isDense(reader: RowReader, numbers: Uint32Array): boolean {
  const step = Math.max(1, Math.floor(numbers.length / probesMax));
  let cells = 0;
  let filled = 0;
  for (let i = 0; i < numbers.length; i += step) {
    if (!reader.measure(numbers[i]!)) continue;
    cells += reader.end - reader.first;
    filled += reader.countFilled();
  }
  return cells <= filled * cellsPerBucketMax;
}

/** Reads one group's counters at a time. */
class RowReader {
  /** Of the group last measured: [first, end) holds all counters that are not 0. */
  first = 0;
  end = 0;
  #start = 0;
  readonly #bucketCount: number;
  /** Of counters of 2 or 4 bytes each is one, of those of 8 a half. */
  readonly #words: Uint16Array | Uint32Array;
  readonly #isPairs: boolean;

  constructor(buffer: ArrayBufferLike, counters: Counters, groupCount: number) {
    const { histogram, shape, counterBytes } = counters;
    const length = groupCount * shape.bucketCount;
    this.#bucketCount = shape.bucketCount;
    this.#isPairs = counterBytes === 8;
    this.#words =
      counterBytes === 2
        ? new Uint16Array(buffer, histogram, length)
        : new Uint32Array(buffer, histogram, this.#isPairs ? length * 2 : length);
  }

  /** False: the group has nothing. */
  measure(number: number): boolean {
    const words = this.#words;
    const wordsPerCell = this.#isPairs ? 2 : 1;
    const start = number * this.#bucketCount * wordsPerCell;
    const end = start + this.#bucketCount * wordsPerCell;
    let low = start;
    while (low < end && words[low] === 0) low++;
    let high = end;
    while (high > low && words[high - 1] === 0) high--;
    this.#start = number * this.#bucketCount;
    this.first = Math.floor((low - start) / wordsPerCell);
    this.end = Math.ceil((high - start) / wordsPerCell);
    return high > low;
  }

  /** Counters of the group last measured that are not 0. */
  countFilled(): number {
    let filled = 0;
    for (let cell = this.first; cell < this.end; cell++) {
      const weight = this.#isPairs ? this.#pairAt(cell) : this.#words[this.#start + cell]!;
      filled += weight === 0 ? 0 : 1;
    }
    return filled;
  }

  /** Whether a weight of the group last measured takes more than 32 bits. */
  isWide(): boolean {
    if (!this.#isPairs) return false;
    for (let cell = this.first; cell < this.end; cell++) {
      if (this.#words[(this.#start + cell) * 2 + 1] !== 0) return true;
    }
    return false;
  }

  /** Weights stay below 2^53. */
  #pairAt(cell: number): number {
    const at = (this.#start + cell) * 2;
    return this.#words[at + 1]! * 2 ** 32 + this.#words[at]!;
  }

  /** Copies [first, end) of the group last measured. */
  copy(out: BucketWeights, at: number): void {
    if (!this.#isPairs) {
      const start = this.#start;
      out.set(this.#words.subarray(start + this.first, start + this.end), at);
      return;
    }
    for (let cell = this.first; cell < this.end; cell++)
      out[at + cell - this.first] = this.#pairAt(cell);
  }
}
