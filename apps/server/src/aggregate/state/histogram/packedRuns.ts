import { coarserBucket } from "@hadal/kernel-wasm";
import {
  type BucketWeights,
  createWeights,
  largestOf,
  weightBytesFor,
} from "../../partial/bucketWeights.js";
import type { StateColumn } from "../../partial/partialResult.js";
import { columnOf } from "../stateKind.js";

/** Of any form but packed. */
export type HistogramColumn = Extract<StateColumn, { readonly form: "listed" | "runs" }>;
export type PackedRuns = Extract<StateColumn, { readonly form: "packed" }>;

export type PackedCells = PackedRuns["cells"];

/** What such a cell holds at most. */
export const packedMaxOf = (cells: PackedCells): number =>
  cells.BYTES_PER_ELEMENT === 1 ? 255 : 65_535;
/** With more than one large cell among this many, cells get wider or runs are unpacked: a large cell takes twelve bytes. */
export const cellsPerLargeMin = 16;

/** One to a column: it is asked for group by group. */
const unpacked = new WeakMap<PackedRuns, HistogramColumn>();

/** The histograms of a column, those that are packed as plain runs. */
export function plainHistogram(column: StateColumn): HistogramColumn {
  const histogram = columnOf(column, "histogram");
  if (histogram.form !== "packed") return histogram;
  let runs = unpacked.get(histogram);
  if (runs === undefined) {
    runs = unpack(histogram);
    unpacked.set(histogram, runs);
    totals.set(runs, histogram.totals);
  }
  return runs;
}

/** The sum of each group's weights, computed once: estimates read it several times for each group. */
const totals = new WeakMap<HistogramColumn, Float64Array>();

export function totalsOf(column: HistogramColumn): Float64Array {
  let found = totals.get(column);
  if (found === undefined) {
    found = addUp(column.weights, column.offsets);
    totals.set(column, found);
  }
  return found;
}

function addUp(weights: BucketWeights, offsets: Uint32Array): Float64Array {
  const sums = new Float64Array(offsets.length - 1);
  for (let group = 0; group < sums.length; group++) {
    sums[group] = weightIn(weights, offsets[group]!, offsets[group + 1]!);
  }
  return sums;
}

/** The sum of the cells [start, end). */
export function weightIn(weights: BucketWeights, start: number, end: number): number {
  if (weights instanceof Uint32Array) return weightInWords(weights, start, end);
  let total = 0;
  for (let i = start; i < end; i++) total += weights[i]!;
  return total;
}

/** What merged runs are, as a rule: a loop of its own, which sees one type only, is several times as fast. */
function weightInWords(weights: Uint32Array, start: number, end: number): number {
  let total = 0;
  for (let i = start; i < end; i++) total += weights[i]!;
  return total;
}

function unpack(packed: PackedRuns): HistogramColumn {
  const { subBits, offsets, buckets, cells, largeAt, largeWeights } = packed;
  const bytes = Math.max(cells.BYTES_PER_ELEMENT, weightBytesFor(largestOf(largeWeights)));
  const weights = createWeights(bytes, cells.length);
  weights.set(cells);
  for (let i = 0; i < largeAt.length; i++) weights[largeAt[i]!] = largeWeights[i]!;
  return { kind: "histogram", form: "runs", subBits, offsets, buckets, weights };
}

/** The first of the large cells that is at or behind this place. */
export function firstLargeFrom({ largeAt }: Pick<PackedRuns, "largeAt">, place: number): number {
  let low = 0;
  let high = largeAt.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (largeAt[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The runs of some groups, in that order, still packed. */
export function takePacked(from: PackedRuns, groups: Uint32Array): PackedRuns {
  const { subBits, cells, largeAt, largeWeights } = from;
  const offsets = new Uint32Array(groups.length + 1);
  for (let i = 0; i < groups.length; i++) {
    offsets[i + 1] = offsets[i]! + from.offsets[groups[i]! + 1]! - from.offsets[groups[i]!]!;
  }
  const length = offsets[groups.length]!;
  const taken = cells instanceof Uint8Array ? new Uint8Array(length) : new Uint16Array(length);
  const [places, weights]: [number[], number[]] = [[], []];
  for (let i = 0; i < groups.length; i++) {
    const [start, end] = [from.offsets[groups[i]!]!, from.offsets[groups[i]! + 1]!];
    taken.set(cells.subarray(start, end), offsets[i]);
    for (let large = firstLargeFrom(from, start); largeAt[large]! < end; large++) {
      places.push(offsets[i]! + largeAt[large]! - start);
      weights.push(largeWeights[large]!);
    }
  }
  return {
    ...{ kind: "histogram", form: "packed", subBits, offsets, cells: taken },
    buckets: Int16Array.from(groups, (group) => from.buckets[group]!),
    totals: Float64Array.from(groups, (group) => from.totals[group]!),
    ...{ largeAt: Uint32Array.from(places), largeWeights: Float64Array.from(weights) },
  };
}

/** The same runs with coarser buckets, in cells of two bytes. */
export function coarserPacked(from: PackedRuns, subBits: number): PackedRuns {
  if (from.subBits === subBits) return from;
  const { subBits: finer, cells, largeAt, largeWeights } = from;
  const groupCount = from.buckets.length;
  const offsets = new Uint32Array(groupCount + 1);
  const buckets = new Int16Array(groupCount);
  for (let group = 0; group < groupCount; group++) {
    const first = from.buckets[group]!;
    const length = from.offsets[group + 1]! - from.offsets[group]!;
    buckets[group] = coarserBucket(first, finer, subBits);
    const last = coarserBucket(first + length - 1, finer, subBits);
    offsets[group + 1] = offsets[group]! + (length === 0 ? 0 : last - buckets[group]! + 1);
  }
  const sums = new Float64Array(offsets[groupCount]!);
  let large = 0;
  for (let group = 0; group < groupCount; group++) {
    const [start, end] = [from.offsets[group]!, from.offsets[group + 1]!];
    const shift = from.buckets[group]! - start;
    const into = offsets[group]! - buckets[group]!;
    for (let at = start; at < end; at++) {
      sums[into + coarserBucket(at + shift, finer, subBits)]! += cells[at]!;
    }
    for (; large < largeAt.length && largeAt[large]! < end; large++) {
      const bucket = coarserBucket(largeAt[large]! + shift, finer, subBits);
      sums[into + bucket]! += largeWeights[large]!;
    }
  }
  const coarse = new Uint16Array(sums.length);
  const packedMax = packedMaxOf(coarse);
  const [places, weights]: [number[], number[]] = [[], []];
  for (let at = 0; at < sums.length; at++) {
    if (sums[at]! <= packedMax) coarse[at] = sums[at]!;
    else {
      places.push(at);
      weights.push(sums[at]!);
    }
  }
  return {
    ...{ kind: "histogram", form: "packed", subBits, offsets, buckets },
    ...{ cells: coarse, totals: from.totals },
    ...{ largeAt: Uint32Array.from(places), largeWeights: Float64Array.from(weights) },
  };
}
