import { firstLargeFrom, type HistogramColumn, type PackedRuns } from "./packedRuns.js";

/** Buckets per step: a step is added up as one number per sender, and only the last step is read bucket by bucket. */
const stepBuckets = 16;

/** One sender's runs. */
interface Source extends PackedRuns {
  /** Where it has each merged group; -1: nowhere. */
  readonly placeOf: Int32Array;
  /** Large cells from this one on are taken already, while a group is walked down. */
  largeLeft: number;
}

export interface PackedInput {
  readonly column: PackedRuns;
  readonly groups: Int32Array;
}

/**
 * Runs of several senders, added up only where all of them are read: a percentile reads the cells above it, a
 * few of each run, and millions of cells need not be written and read again.
 */
export class MergedRuns implements HistogramColumn {
  readonly kind = "histogram";
  readonly #sources: readonly Source[];
  readonly #merge: () => HistogramColumn;
  #merged: HistogramColumn | null = null;
  readonly #sums = new Float64Array(stepBuckets);

  private constructor(
    readonly subBits: number,
    sources: readonly Source[],
    merge: () => HistogramColumn,
  ) {
    this.#sources = sources;
    this.#merge = merge;
  }

  /** All inputs are of one fineness. Null where a sender has a group twice: what it has is added up at once. */
  static of(
    inputs: readonly PackedInput[],
    groupCount: number,
    subBits: number,
    merge: () => HistogramColumn,
  ): MergedRuns | null {
    const sources: Source[] = [];
    for (const { column, groups } of inputs) {
      const placeOf = placesOf(groups, groupCount);
      if (placeOf === null) return null;
      sources.push({ ...column, placeOf, largeLeft: 0 });
    }
    return new MergedRuns(subBits, sources, merge);
  }

  get form(): HistogramColumn["form"] {
    return this.#whole().form;
  }

  get offsets(): Uint32Array {
    return this.#whole().offsets;
  }

  get buckets(): Int16Array {
    return this.#whole().buckets;
  }

  get weights(): HistogramColumn["weights"] {
    return this.#whole().weights;
  }

  /** Weight of a group's values. */
  totalOf(group: number): number {
    let total = 0;
    for (const { placeOf, totals } of this.#sources) {
      const place = placeOf[group]!;
      if (place >= 0) total += totals[place]!;
    }
    return total;
  }

  /** The bucket in which the weight from the top down reaches `above`, which is more than 0 and no more than there is. */
  bucketFromAbove(group: number, above: number): number {
    const [first, end] = this.#spanOf(group);
    const sources = this.#sources;
    let reached = 0;
    for (let s = 0; s < sources.length; s++) startAbove(sources[s]!, group);
    for (let to = end; to > first; to -= stepBuckets) {
      const from = Math.max(first, to - stepBuckets);
      let step = 0;
      for (let s = 0; s < sources.length; s++) step += weightBetween(sources[s]!, group, from, to);
      if (reached + step >= above) return this.#bucketWithin(group, from, to, above - reached);
      reached += step;
    }
    throw new Error(`${above} of the weight lies beyond ${reached}`);
  }

  /** Weight of a group's values in the buckets above this one. */
  weightAbove(group: number, bucket: number): number {
    const [first, end] = this.#spanOf(group);
    const from = Math.max(first, bucket + 1);
    let weight = 0;
    for (const source of this.#sources) {
      startAbove(source, group);
      weight += weightBetween(source, group, from, end);
    }
    return weight;
  }

  /** The bucket as in bucketFromAbove, of [from, to) alone. */
  #bucketWithin(group: number, from: number, to: number, above: number): number {
    const sums = this.#sums.fill(0);
    for (const source of this.#sources) addCells(source, source.placeOf[group]!, from, to, sums);
    let reached = 0;
    for (let i = to - from - 1; i >= 0; i--) {
      reached += sums[i]!;
      if (reached >= above) return from + i;
    }
    throw new Error(`${above} of the weight lies beyond ${reached}`);
  }

  /** The buckets that hold a group's values: from the first, and below the end. */
  #spanOf(group: number): readonly [first: number, end: number] {
    // Bucket numbers have 16 bits.
    let [first, end] = [2 ** 16, -(2 ** 16)];
    for (const { placeOf, offsets, buckets } of this.#sources) {
      const place = placeOf[group]!;
      const length = place < 0 ? 0 : offsets[place + 1]! - offsets[place]!;
      if (length === 0) continue;
      first = Math.min(first, buckets[place]!);
      end = Math.max(end, buckets[place]! + length);
    }
    return [first, end];
  }

  #whole(): HistogramColumn {
    this.#merged ??= this.#merge();
    return this.#merged;
  }
}

function placesOf(groups: Int32Array, groupCount: number): Int32Array | null {
  const placeOf = new Int32Array(groupCount).fill(-1);
  for (let i = 0; i < groups.length; i++) {
    if (placeOf[groups[i]!] !== -1) return null;
    placeOf[groups[i]!] = i;
  }
  return placeOf;
}

/** Before the first step down a group. */
function startAbove(source: Source, group: number): void {
  const place = source.placeOf[group]!;
  if (place < 0 || source.largeAt.length === 0) return;
  source.largeLeft = firstLargeFrom(source, source.offsets[place + 1]!);
}

/** A source's weight in the buckets [from, to), which follow those of the step before from the top down. */
function weightBetween(source: Source, group: number, from: number, to: number): number {
  const place = source.placeOf[group]!;
  if (place < 0) return 0;
  const { cells, offsets, largeAt } = source;
  const origin = offsets[place]! - source.buckets[place]!;
  const start = Math.max(offsets[place]!, from + origin);
  const end = Math.min(offsets[place + 1]!, to + origin);
  let small = 0;
  for (let at = start; at < end; at++) small += cells[at]!;
  let weight = small;
  while (source.largeLeft > 0 && largeAt[source.largeLeft - 1]! >= start) {
    source.largeLeft -= 1;
    weight += source.largeWeights[source.largeLeft]!;
  }
  return weight;
}

/** Adds a source's cells of the buckets [from, to). Loose arguments: an object for each call would cost an allocation. */
function addCells(
  source: Source,
  place: number,
  from: number,
  to: number,
  sums: Float64Array,
): void {
  if (place < 0) return;
  const { cells, offsets, buckets, largeAt, largeWeights } = source;
  const origin = offsets[place]! - buckets[place]!;
  const start = Math.max(offsets[place]!, from + origin);
  const end = Math.min(offsets[place + 1]!, to + origin);
  const shift = origin + from;
  for (let at = start; at < end; at++) sums[at - shift]! += cells[at]!;
  if (largeAt.length === 0) return;
  for (let i = firstLargeFrom(source, start); i < largeAt.length && largeAt[i]! < end; i++) {
    sums[largeAt[i]! - shift]! += largeWeights[i]!;
  }
}
