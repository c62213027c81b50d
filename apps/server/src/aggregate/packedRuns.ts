import { type BucketWeights, createWeights, largestOf, weightBytesFor } from "./bucketWeights.js";
import type { StateColumn } from "./partialResult.js";
import { columnOf } from "./stateKind.js";

/** Of any form but packed. */
export type HistogramColumn = Extract<StateColumn, { readonly form: "listed" | "runs" }>;
export type PackedRuns = Extract<StateColumn, { readonly form: "packed" }>;

/** What a cell of a byte holds at most. */
export const packedMax = 255;
/** More than one large cell of so many, and runs are no longer packed: each takes twelve bytes. */
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

/** What each group's weights come to, found once: estimates ask for it several times a group. */
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

/** What the cells [start, end) come to. */
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
  const weights = createWeights(weightBytesFor(largestOf(largeWeights)), cells.length);
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
