import type { HistogramShape } from "@hadal/kernel-wasm";
import { type BucketWeights, createWeights } from "../aggregate/bucketWeights.js";
import {
  cellsPerLargeMin,
  type HistogramColumn,
  type PackedRuns,
  packedMax,
} from "../aggregate/packedRuns.js";
import { type Counters, spilledCount } from "./histogramTask.js";

/** Where a group that has no values would have its counters. */
export const noNumber = 2 ** 32 - 1;

/** So many groups, evenly spread, tell whether runs are worth it. */
const probesMax = 64;
/** Runs are while so many cells stand for one bucket that holds something, on average: naming the buckets takes thrice the bytes. */
const cellsPerBucketMax = 3;
/** 64 MiB while they are read. */
const cellsMax = 16_777_216;

/** As in StateColumn. */
type Runs = Omit<HistogramColumn, "kind" | "subBits" | "form"> & { readonly form: "runs" };
type Packed = Omit<PackedRuns, "kind" | "subBits">;

/** Per group the counters from the first to the last that is not 0, as bytes where most fit; null where most of these are 0. */
export function readRuns(
  memory: WebAssembly.Memory,
  counters: Counters,
  numbers: Uint32Array,
): Runs | Packed | null {
  const { firstBucket, bucketCount } = counters.shape;
  const present = numbers.filter((number) => number !== noNumber);
  if (present.length * bucketCount > cellsMax) return null;
  const last = present.reduce((most, number) => Math.max(most, number), -1);
  const reader = new RowReader(memory.buffer, counters, last + 1);
  if (!isDense(reader, present)) return null;
  const offsets = new Uint32Array(numbers.length + 1);
  const buckets = new Int16Array(numbers.length);
  let used = 0;
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] !== noNumber && reader.measure(numbers[i]!)) {
      buckets[i] = firstBucket + reader.first;
      used += reader.end - reader.first;
    }
    offsets[i + 1] = used;
  }
  const spilled = readSpilled(memory, counters).flatMap(({ number, cell, weight }) => {
    const group = numbers.indexOf(number);
    if (group < 0) return [];
    return { group, at: offsets[group]! + firstBucket + cell - buckets[group]!, weight };
  });
  const places: Places = { numbers, offsets, buckets, spilled };
  return packCells(reader, places) ?? copyCells(reader, places);
}

/** Where the runs go. */
interface Places {
  readonly numbers: Uint32Array;
  readonly offsets: Uint32Array;
  readonly buckets: Int16Array;
  /** Weights that their counters do not hold: of which group, at which place. */
  readonly spilled: readonly {
    readonly group: number;
    readonly at: number;
    readonly weight: number;
  }[];
}

/** Null where too many cells take more than a byte. */
function packCells(reader: RowReader, places: Places): Packed | null {
  const { numbers, offsets, buckets, spilled } = places;
  const cells = new Uint8Array(offsets[numbers.length]!);
  const totals = new Float64Array(numbers.length);
  const largeMax = cells.length / cellsPerLargeMin;
  let large: LargeCells = { at: [], weights: [] };
  for (let i = 0; i < numbers.length; i++) {
    if (offsets[i] === offsets[i + 1]) continue;
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    totals[i] = reader.pack(numbers[i]!, buckets[i]!, cells, start, end, large);
    if (large.at.length > largeMax) return null;
  }
  for (const { group, weight } of spilled) totals[group]! += weight;
  if (spilled.length > 0) large = withSpilled(large, spilled, cells);
  const largeAt = Uint32Array.from(large.at);
  const largeWeights = Float64Array.from(large.weights);
  return { form: "packed", offsets, buckets, cells, totals, largeAt, largeWeights };
}

/** Cells that take more than a byte, by place. */
interface LargeCells {
  readonly at: number[];
  readonly weights: number[];
}

/** A counter that was full went on from 1: what it holds now may be less than a byte. */
function withSpilled(
  { at, weights }: LargeCells,
  spilled: Places["spilled"],
  cells: Uint8Array,
): LargeCells {
  const all = new Map(at.map((place, i) => [place, weights[i]!]));
  for (const { at: place, weight } of spilled) {
    all.set(place, (all.get(place) ?? cells[place]!) + weight);
    cells[place] = 0;
  }
  const sorted = [...all.keys()].sort((a, b) => a - b);
  return { at: sorted, weights: sorted.map((place) => all.get(place)!) };
}

/** As wide as the largest of them needs. */
function copyCells(reader: RowReader, { numbers, offsets, buckets, spilled }: Places): Runs {
  let cells = createWeights(4, offsets[numbers.length]!);
  for (let i = 0; i < numbers.length; i++) {
    if (offsets[i] === offsets[i + 1]) continue;
    const [start, end] = [offsets[i]!, offsets[i + 1]!];
    if (cells.BYTES_PER_ELEMENT < 8 && reader.isWide(numbers[i]!, buckets[i]!, end - start)) {
      cells = Float64Array.from(cells);
    }
    reader.copy(numbers[i]!, buckets[i]!, cells, start, end);
  }
  for (const { at, weight } of spilled) cells[at]! += weight;
  return { form: "runs", offsets, buckets, weights: cells };
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
    filled += reader.countFilled(numbers[i]!);
  }
  return cells <= filled * cellsPerBucketMax;
}

/** Reads one group's counters at a time. */
class RowReader {
  /** Of the group last measured: [first, end) holds all counters that are not 0. */
  first = 0;
  end = 0;
  readonly #shape: HistogramShape;
  /** Of counters of 2 or 4 bytes each is one, of those of 8 a half. */
  readonly #words: Uint16Array | Uint32Array;
  readonly #isPairs: boolean;

  constructor(buffer: ArrayBufferLike, counters: Counters, groupCount: number) {
    const { histogram, shape, counterBytes } = counters;
    const length = groupCount * shape.bucketCount;
    this.#shape = shape;
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
    const start = number * this.#shape.bucketCount * wordsPerCell;
    const end = start + this.#shape.bucketCount * wordsPerCell;
    let low = start;
    while (low < end && words[low] === 0) low++;
    let high = end;
    while (high > low && words[high - 1] === 0) high--;
    this.first = Math.floor((low - start) / wordsPerCell);
    this.end = Math.ceil((high - start) / wordsPerCell);
    return high > low;
  }

  /** Counters of the group last measured that are not 0. */
  countFilled(number: number): number {
    const start = number * this.#shape.bucketCount;
    let filled = 0;
    for (let cell = this.first; cell < this.end; cell++) {
      filled += this.#weightAt(start + cell) === 0 ? 0 : 1;
    }
    return filled;
  }

  /** Whether a weight among so many from the bucket on takes more than 32 bits. */
  isWide(number: number, bucket: number, count: number): boolean {
    if (!this.#isPairs) return false;
    const start = this.#cellOf(number, bucket);
    for (let i = 0; i < count; i++) if (this.#words[(start + i) * 2 + 1] !== 0) return true;
    return false;
  }

  /** Counters from the bucket on to [from, to). */
  copy(number: number, bucket: number, out: BucketWeights, from: number, to: number): void {
    const start = this.#cellOf(number, bucket);
    for (let at = from; at < to; at++) out[at] = this.#weightAt(start + at - from);
  }

  /** The same as bytes, and those that take more beside. Returns what all of them come to. */
  pack(
    number: number,
    bucket: number,
    out: Uint8Array,
    from: number,
    to: number,
    large: LargeCells,
  ): number {
    const start = this.#cellOf(number, bucket);
    const words = this.#words;
    if (words instanceof Uint16Array) return packShorts(words, start, out, from, to, large);
    if (!this.#isPairs) return packWords(words, start, out, from, to, large);
    let total = 0;
    for (let at = from; at < to; at++) {
      const weight = this.#weightAt(start + at - from);
      total += weight;
      packOne(weight, out, at, large);
    }
    return total;
  }

  #cellOf(number: number, bucket: number): number {
    return number * this.#shape.bucketCount + bucket - this.#shape.firstBucket;
  }

  /** Weights stay below 2^53. */
  #weightAt(cell: number): number {
    const words = this.#words;
    return this.#isPairs ? words[cell * 2 + 1]! * 2 ** 32 + words[cell * 2]! : words[cell]!;
  }
}

// One loop for each type: an engine that has seen several in one loop reads each cell slowly.
function packShorts(
  words: Uint16Array,
  start: number,
  out: Uint8Array,
  from: number,
  to: number,
  large: LargeCells,
): number {
  const shift = start - from;
  let total = 0;
  for (let at = from; at < to; at++) {
    const weight = words[at + shift]!;
    total += weight;
    if (weight <= packedMax) out[at] = weight;
    else packOne(weight, out, at, large);
  }
  return total;
}

function packWords(
  words: Uint32Array,
  start: number,
  out: Uint8Array,
  from: number,
  to: number,
  large: LargeCells,
): number {
  const shift = start - from;
  let total = 0;
  for (let at = from; at < to; at++) {
    const weight = words[at + shift]!;
    total += weight;
    if (weight <= packedMax) out[at] = weight;
    else packOne(weight, out, at, large);
  }
  return total;
}

function packOne(weight: number, out: Uint8Array, at: number, large: LargeCells): void {
  if (weight <= packedMax) {
    out[at] = weight;
    return;
  }
  large.at.push(at);
  large.weights.push(weight);
}
