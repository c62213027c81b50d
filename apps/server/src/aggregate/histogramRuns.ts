import { type BucketWeights, createWeights, largestOf } from "./bucketWeights.js";
import { type HistogramColumn, plainHistogram } from "./packedRuns.js";
import type { StateColumn } from "./partialResult.js";
import type { MergeInput } from "./stateKind.js";

/** The same histograms with the buckets named that hold something. */
export function asListed(column: StateColumn): HistogramColumn {
  const histogram = plainHistogram(column);
  if (histogram.form === "listed") return histogram;
  const { subBits, offsets: from, buckets: firsts, weights: cells } = histogram;
  const groupCount = firsts.length;
  let filled = 0;
  for (let i = 0; i < cells.length; i++) if (cells[i] !== 0) filled++;
  const offsets = new Uint32Array(groupCount + 1);
  const buckets = new Int16Array(filled);
  const weights = createWeights(cells.BYTES_PER_ELEMENT, filled);
  let at = 0;
  for (let group = 0; group < groupCount; group++) {
    const start = from[group]!;
    for (let cell = start; cell < from[group + 1]!; cell++) {
      if (cells[cell] === 0) continue;
      buckets[at] = firsts[group]! + cell - start;
      weights[at++] = cells[cell]!;
    }
    offsets[group + 1] = at;
  }
  return { kind: "histogram", form: "listed", subBits, offsets, buckets, weights };
}

/** A run that holds more than so many times what it is merged from has gaps that had better not be spelled out. */
const gapsMax = 2;

/** Adds runs up cell by cell; null where the merged ones would be mostly gaps. All inputs are runs of one fineness. */
export function mergeRuns(
  inputs: readonly MergeInput[],
  groupCount: number,
  subBits: number,
): HistogramColumn | null {
  const runs = inputs.map(({ column, groups }) => ({
    column: plainHistogram(column),
    groups,
  }));
  const { firsts, offsets, sourcesMost } = unite(runs, groupCount);
  const room = offsets[groupCount]!;
  const given = runs.reduce((sum, { column }) => sum + column.weights.length, 0);
  if (room > given * gapsMax) return null;
  const largest = runs.reduce(
    (most, { column }) => Math.max(most, boundOf(column, sourcesMost)),
    0,
  );
  // No narrower than that: of one type, the loops over them stay quick.
  const weights = largest * sourcesMost < 2 ** 32 ? new Uint32Array(room) : new Float64Array(room);
  for (const { column, groups } of runs) {
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i]!;
      const at = offsets[group]! + column.buckets[i]! - firsts[group]!;
      addCells(weights, at, column.weights, column.offsets[i]!, column.offsets[i + 1]!);
    }
  }
  return { kind: "histogram", form: "runs", subBits, offsets, buckets: firsts, weights };
}

/** One loop for each type: an engine that has seen several in one loop reads each cell slowly. */
function addCells(
  into: Uint32Array | Float64Array,
  at: number,
  cells: BucketWeights,
  from: number,
  to: number,
): void {
  if (into instanceof Float64Array) {
    for (let cell = from; cell < to; cell++) into[at + cell - from]! += cells[cell]!;
  } else if (cells instanceof Uint16Array) addShorts(into, at, cells, from, to);
  else if (cells instanceof Uint32Array) addWords(into, at, cells, from, to);
  else for (let cell = from; cell < to; cell++) into[at + cell - from]! += cells[cell]!;
}

function addShorts(into: Uint32Array, at: number, cells: Uint16Array, from: number, to: number) {
  const shift = at - from;
  for (let cell = from; cell < to; cell++) into[cell + shift]! += cells[cell]!;
}

function addWords(into: Uint32Array, at: number, cells: Uint32Array, from: number, to: number) {
  const shift = at - from;
  for (let cell = from; cell < to; cell++) into[cell + shift]! += cells[cell]!;
}

interface RunInput {
  readonly column: HistogramColumn;
  readonly groups: Int32Array;
}

/** Where the runs of each group begin and end together. */
function unite(runs: readonly RunInput[], groupCount: number) {
  const firsts = new Int16Array(groupCount);
  const ends = new Int16Array(groupCount);
  const sources = new Uint32Array(groupCount);
  for (const { column, groups } of runs) {
    const { offsets, buckets } = column;
    for (let i = 0; i < groups.length; i++) {
      const length = offsets[i + 1]! - offsets[i]!;
      if (length === 0) continue;
      const group = groups[i]!;
      const first = buckets[i]!;
      const isFirst = sources[group]! === 0;
      if (isFirst || first < firsts[group]!) firsts[group] = first;
      if (isFirst || first + length > ends[group]!) ends[group] = first + length;
      sources[group]! += 1;
    }
  }
  const offsets = new Uint32Array(groupCount + 1);
  let sourcesMost = 1;
  for (let group = 0; group < groupCount; group++) {
    offsets[group + 1] = offsets[group]! + ends[group]! - firsts[group]!;
    sourcesMost = Math.max(sourcesMost, sources[group]!);
  }
  return { firsts, offsets, sourcesMost };
}

/** No weight is above this; what is in narrow arrays need not be looked at. */
function boundOf({ weights }: HistogramColumn, sourcesMost: number): number {
  const most = 2 ** (8 * weights.BYTES_PER_ELEMENT) - 1;
  return most * sourcesMost < 2 ** 32 ? most : largestOf(weights);
}
