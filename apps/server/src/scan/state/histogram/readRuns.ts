import type { HistogramShape } from "@hadal/kernel-wasm";
import { type BucketWeights, createWeights } from "../../../aggregate/partial/bucketWeights.js";
import {
  cellsPerLargeMin,
  type HistogramColumn,
  type PackedCells,
  type PackedRuns,
  packedMaxOf,
} from "../../../aggregate/state/histogram/packedRuns.js";
import { segmentRowsMax } from "../../../store/segment/segmentView.js";
import type { Counters } from "../../task/histogramTask.js";
import type { ReadContext } from "../readContext.js";
import { eachSpilled, readSpilled } from "./readSpilled.js";

/** The number of a group without values. */
export const noNumber = 2 ** 32 - 1;

/** Groups sampled, evenly spread, to decide whether runs pay. */
const probesMax = 64;
/**
 * Runs pay up to this many cells for each bucket that is not empty: a list takes three times the
 * bytes, and the root must read all of it, while percentiles need few cells of a run.
 */
const cellsPerBucketMax = 6;
const byteMax = 255;
/** 64 MiB while they are read. */
const cellsMax = 16_777_216;

/** As in StateColumn. */
type Runs = Omit<HistogramColumn, "kind" | "subBits" | "form"> & { readonly form: "runs" };
type Packed = Omit<PackedRuns, "kind" | "subBits">;

/**
 * Per group the counters from the first to the last that is not 0, in one or two bytes where most
 * fit; null where most of these are 0.
 */
export function readRuns(
  context: ReadContext,
  counters: Counters,
  numbers: Uint32Array,
): Runs | Packed | null {
  const { firstBucket, bucketCount } = counters.shape;
  const present = numbers.filter((number) => number !== noNumber);
  if (present.length * bucketCount > cellsMax) return null;
  const last = present.reduce((most, number) => Math.max(most, number), -1);
  const reader = new RowReader(context.memory.buffer, counters, last + 1);
  const measured = measure(context, counters, numbers);
  const { isDense, mostlyLarge } = probe(reader, numbers, measured);
  if (!isDense) return null;
  const { firsts, ends, totals } = measured;
  const offsets = new Uint32Array(numbers.length + 1);
  const buckets = new Int16Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) {
    const length = ends[i]! - firsts[i]!;
    if (length > 0) buckets[i] = firstBucket + firsts[i]!;
    offsets[i + 1] = offsets[i]! + length;
  }
  const spilled: SpilledCell[] = [];
  eachSpilled(readSpilled(context.memory, counters), numbers, (group, cell, weight) => {
    spilled.push({ group, at: offsets[group]! + cell - firsts[group]!, weight });
  });
  const places: Places = { numbers, offsets, buckets, totals, spilled };
  return (
    (mostlyLarge ? null : packCells(reader, places, Uint8Array)) ??
    packCells(reader, places, Uint16Array) ??
    copyCells(reader, places)
  );
}

/**
 * By group: the first counter that is not 0, the end of the last one, and the sum of the counters.
 */
interface Measured {
  readonly firsts: Uint32Array;
  readonly ends: Uint32Array;
  readonly totals: Float64Array;
}

/** The kernel writes 16 bytes a group. */
const measuredMax = segmentRowsMax / 2;

function measure(
  { memory, kernel, scratch }: ReadContext,
  { histogram, counterBytes, shape }: Counters,
  numbers: Uint32Array,
): Measured {
  const firsts = new Uint32Array(numbers.length);
  const ends = new Uint32Array(numbers.length);
  const totals = new Float64Array(numbers.length);
  const wanted = new Uint32Array(memory.buffer, scratch.rows, measuredMax);
  const words = new Uint32Array(memory.buffer, scratch.keys, measuredMax * 4);
  const sums = new Float64Array(memory.buffer, scratch.keys, measuredMax * 2);
  for (let from = 0; from < numbers.length; from += measuredMax) {
    const end = Math.min(numbers.length, from + measuredMax);
    let count = 0;
    for (let i = from; i < end; i++) if (numbers[i] !== noNumber) wanted[count++] = numbers[i]!;
    kernel.measureBuckets(
      ...([scratch.keys, histogram, counterBytes, scratch.rows, count] as const),
      shape.bucketCount,
    );
    for (let i = from, k = 0; i < end; i++) {
      if (numbers[i] === noNumber) continue;
      firsts[i] = words[4 * k]!;
      ends[i] = words[4 * k + 1]!;
      totals[i] = sums[2 * k + 1]!;
      k++;
    }
  }
  return { firsts, ends, totals };
}

/** The places of the runs. */
interface Places {
  readonly numbers: Uint32Array;
  readonly offsets: Uint32Array;
  readonly buckets: Int16Array;
  /** The sum of each group's counters. */
  readonly totals: Float64Array;
  /** By place. */
  readonly spilled: readonly SpilledCell[];
}

/** The weight beyond a counter's range, by group and place. */
interface SpilledCell {
  readonly group: number;
  readonly at: number;
  readonly weight: number;
}

/** Null where too many cells are wider. */
function packCells(
  reader: RowReader,
  places: Places,
  Cells: typeof Uint8Array | typeof Uint16Array,
): Packed | null {
  const { numbers, offsets, buckets, spilled } = places;
  const cells = new Cells(offsets[numbers.length]!);
  const largeMax = cells.length / cellsPerLargeMin;
  let large: LargeCells = { at: [], weights: [] };
  for (let i = 0; i < numbers.length; i++) {
    if (offsets[i] === offsets[i + 1]) continue;
    reader.pack(numbers[i]!, buckets[i]!, cells, offsets[i]!, offsets[i + 1]!, large);
    if (large.at.length > largeMax) return null;
  }
  if (spilled.length > 0) large = withSpilled(large, spilled, cells);
  if (large.at.length > largeMax) return null;
  const totals = places.totals.slice();
  for (const { group, weight } of spilled) totals[group]! += weight;
  const largeAt = Uint32Array.from(large.at);
  const largeWeights = Float64Array.from(large.weights);
  return { form: "packed", offsets, buckets, cells, totals, largeAt, largeWeights };
}

/** Weights that do not fit their cells, by place. */
interface LargeCells {
  readonly at: number[];
  readonly weights: number[];
}

/** A full counter starts again at 1: its present value may fit a cell. */
function withSpilled(
  { at, weights }: LargeCells,
  spilled: Places["spilled"],
  cells: PackedCells,
): LargeCells {
  const all: LargeCells = { at: [], weights: [] };
  let next = 0;
  const takeBelow = (place: number): void => {
    for (; next < at.length && at[next]! < place; next++) {
      all.at.push(at[next]!);
      all.weights.push(weights[next]!);
    }
  };
  for (const { at: place, weight } of spilled) {
    takeBelow(place);
    const isLarge = at[next] === place;
    const whole = weight + (isLarge ? weights[next]! : cells[place]!);
    if (isLarge) next++;
    if (whole <= packedMaxOf(cells)) {
      cells[place] = whole;
      continue;
    }
    all.at.push(place);
    all.weights.push(whole);
    cells[place] = 0;
  }
  takeBelow(Number.POSITIVE_INFINITY);
  return all;
}

/** Copies counters as wide as the largest one needs. */
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

/** Decides by a few groups whether runs pay, and whether most weights do not fit a byte. */
function probe(
  reader: RowReader,
  numbers: Uint32Array,
  { firsts, ends }: Pick<Measured, "firsts" | "ends">,
): { readonly isDense: boolean; readonly mostlyLarge: boolean } {
  const step = Math.max(1, Math.floor(numbers.length / probesMax));
  let [cells, filled, large] = [0, 0, 0];
  for (let i = 0; i < numbers.length; i += step) {
    if (ends[i] === 0) continue;
    cells += ends[i]! - firsts[i]!;
    filled += reader.countAbove(0, numbers[i]!, firsts[i]!, ends[i]!);
    large += reader.countAbove(byteMax, numbers[i]!, firsts[i]!, ends[i]!);
  }
  return {
    isDense: cells <= filled * cellsPerBucketMax,
    // With a margin, as a sample is not exact.
    mostlyLarge: large > (2 * cells) / cellsPerLargeMin,
  };
}

/** Reads one group's counters at a time. */
class RowReader {
  readonly #shape: HistogramShape;
  /** Halves of counters of 8 bytes, or whole counters. */
  readonly #words: Uint8Array | Uint16Array | Uint32Array;
  readonly #isPairs: boolean;

  constructor(buffer: ArrayBufferLike, counters: Counters, groupCount: number) {
    const { histogram, shape, counterBytes } = counters;
    const length = groupCount * shape.bucketCount;
    this.#shape = shape;
    this.#isPairs = counterBytes === 8;
    if (counterBytes === 1) this.#words = new Uint8Array(buffer, histogram, length);
    else if (counterBytes === 2) this.#words = new Uint16Array(buffer, histogram, length);
    else this.#words = new Uint32Array(buffer, histogram, this.#isPairs ? length * 2 : length);
  }

  /** How many of the group's counters [first, end) are above `least`. */
  countAbove(least: number, number: number, first: number, end: number): number {
    const start = number * this.#shape.bucketCount;
    let count = 0;
    for (let cell = first; cell < end; cell++) {
      if (this.#weightAt(start + cell) > least) count++;
    }
    return count;
  }

  /** Whether one of `count` weights from the bucket on needs more than 32 bits. */
  isWide(number: number, bucket: number, count: number): boolean {
    if (!this.#isPairs) return false;
    const start = this.#cellOf(number, bucket);
    for (let i = 0; i < count; i++) if (this.#words[(start + i) * 2 + 1] !== 0) return true;
    return false;
  }

  /**
   * Copies counters from the bucket on to out[from, to); five numbers, as it is called for a group.
   */
  copy(number: number, bucket: number, out: BucketWeights, from: number, to: number): void {
    const start = this.#cellOf(number, bucket);
    const words = this.#words;
    if (this.#isPairs && words instanceof Uint32Array && out instanceof Uint32Array) {
      copyPairs(words, start, out, from, to);
      return;
    }
    for (let at = from; at < to; at++) out[at] = this.#weightAt(start + at - from);
  }

  /**
   * The same into narrow cells; larger weights go to `large`. Six parameters and no object, as it
   * is called for a group.
   */
  pack(
    number: number,
    bucket: number,
    out: PackedCells,
    from: number,
    to: number,
    large: LargeCells,
  ): void {
    const start = this.#cellOf(number, bucket);
    const words = this.#words;
    if (words instanceof Uint8Array) out.set(words.subarray(start, start + to - from), from);
    else if (words instanceof Uint16Array) packShorts(words, start, out, from, to, large);
    else if (!this.#isPairs) packWords(words, start, out, from, to, large);
    else packPairs(words, start, out, from, to, large);
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

// One loop for each type: V8 reads cells slowly in a loop that has seen several types. Called for a
// group, so without objects for their parameters.
function packShorts(
  words: Uint16Array,
  start: number,
  out: PackedCells,
  from: number,
  to: number,
  large: LargeCells,
): void {
  const shift = start - from;
  const packedMax = packedMaxOf(out);
  for (let at = from; at < to; at++) {
    const weight = words[at + shift]!;
    if (weight <= packedMax) out[at] = weight;
    else addLarge(large, at, weight);
  }
}

function packWords(
  words: Uint32Array,
  start: number,
  out: PackedCells,
  from: number,
  to: number,
  large: LargeCells,
): void {
  const shift = start - from;
  const packedMax = packedMaxOf(out);
  for (let at = from; at < to; at++) {
    const weight = words[at + shift]!;
    if (weight <= packedMax) out[at] = weight;
    else addLarge(large, at, weight);
  }
}

function packPairs(
  words: Uint32Array,
  start: number,
  out: PackedCells,
  from: number,
  to: number,
  large: LargeCells,
): void {
  const shift = start - from;
  const packedMax = packedMaxOf(out);
  for (let at = from; at < to; at++) {
    const word = (at + shift) * 2;
    const low = words[word]!;
    const high = words[word + 1]!;
    if (high === 0 && low <= packedMax) out[at] = low;
    else addLarge(large, at, high * 2 ** 32 + low);
  }
}

/** Copies pairs whose high words are 0. */
function copyPairs(
  words: Uint32Array,
  start: number,
  out: Uint32Array,
  from: number,
  to: number,
): void {
  const shift = start - from;
  for (let at = from; at < to; at++) out[at] = words[(at + shift) * 2]!;
}

function addLarge(large: LargeCells, at: number, weight: number): void {
  large.at.push(at);
  large.weights.push(weight);
}
