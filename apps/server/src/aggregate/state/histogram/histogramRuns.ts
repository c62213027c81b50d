import { coarserBucket } from "@hadal/kernel-wasm";
import type { Steps } from "../../../base/schedule/steps.js";
import { type BucketWeights, createWeights, largestOf } from "../../partial/bucketWeights.js";
import type { StateColumn } from "../../partial/partialResult.js";
import type { MergeInput } from "../stateKind.js";
import { type HistogramColumn, plainHistogram } from "./packedRuns.js";

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

/** Runs with more than this multiple of the cells they are merged from consist mostly of gaps, and are listed instead. */
const gapsMax = 4;
/** And no more cells than these, 128 MB of doubles: to name the buckets that hold something takes no more than what came in. */
const cellsMax = 2 ** 24;

/** Groups whose runs are added up in about a millisecond. */
export const stepGroups = 4_096;

/** Adds up as runs, cell by cell, whatever the form and fineness of the inputs; null where the merged ones would be mostly gaps. */
export function* mergeRuns(
  inputs: readonly MergeInput[],
  groupCount: number,
  subBits: number,
): Steps<HistogramColumn | null> {
  const all = inputs.map(({ column, groups }) => ({ column: plainHistogram(column), groups }));
  const given = all.reduce((sum, { column }) => sum + column.weights.length, 0);
  const united = yield* unite(all, groupCount, subBits, Math.min(given * gapsMax, cellsMax));
  if (united === null) return null;
  const { firsts, offsets, room, sourcesMost } = united;
  const largest = all.reduce(
    (most, { column }) => Math.max(most, boundOf(column, subBits, sourcesMost)),
    0,
  );
  // No narrower than that: of one type, the loops over them stay quick.
  const weights = largest * sourcesMost < 2 ** 32 ? new Uint32Array(room) : new Float64Array(room);
  for (const { column, groups } of all) {
    const { offsets: from } = column;
    const add = adderOf(column, weights, subBits);
    for (let first = 0; first < groups.length; first += stepGroups) {
      const end = Math.min(groups.length, first + stepGroups);
      for (let i = first; i < end; i++) {
        if (from[i] === from[i + 1]) continue;
        const group = groups[i]!;
        // Where bucket 0 of the group is, or would be.
        add(offsets[group]! - firsts[group]!, i, from[i]!, from[i + 1]!);
      }
      yield;
    }
  }
  return { kind: "histogram", form: "runs", subBits, offsets, buckets: firsts, weights };
}

/** Adds the cells [from, to) of a column's group; `origin`: where its bucket 0 goes. */
type Adder = (origin: number, group: number, from: number, to: number) => void;

function adderOf(
  column: HistogramColumn,
  into: Uint32Array | Float64Array,
  subBits: number,
): Adder {
  const { form, buckets, weights, subBits: own } = column;
  if (form === "runs" && own === subBits) {
    return (origin, group, from, to) => addCells(into, origin + buckets[group]!, weights, from, to);
  }
  // An engine that has seen several types in one loop reads each cell slowly.
  const cells =
    weights instanceof Uint32Array || weights instanceof Float64Array
      ? weights
      : new Uint32Array(weights);
  if (form === "runs") {
    return (origin, group, from, to) => {
      const shift = buckets[group]! - from;
      for (let cell = from; cell < to; cell++) {
        into[origin + coarserBucket(cell + shift, own, subBits)]! += cells[cell]!;
      }
    };
  }
  return (origin, _, from, to) => {
    for (let cell = from; cell < to; cell++) {
      into[origin + coarserBucket(buckets[cell]!, own, subBits)]! += cells[cell]!;
    }
  };
}

/**
 * One loop for each type: an engine that has seen several in one loop reads each cell slowly. Loose arguments: it is
 * called for each run, and an object would cost an allocation.
 */
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

interface UnitedRuns {
  readonly firsts: Int16Array;
  readonly offsets: Uint32Array;
  readonly room: number;
  readonly sourcesMost: number;
}

/** Where the runs of each group begin and end together; null where they have more cells than these. */
function* unite(
  inputs: readonly { readonly column: HistogramColumn; readonly groups: Int32Array }[],
  groupCount: number,
  subBits: number,
  roomMax: number,
): Steps<UnitedRuns | null> {
  const firsts = new Int16Array(groupCount);
  const ends = new Int16Array(groupCount);
  const sources = new Uint32Array(groupCount);
  for (const { column, groups } of inputs) {
    const { form, offsets, buckets, subBits: finer } = column;
    for (let i = 0; i < groups.length; i++) {
      if (i % stepGroups === stepGroups - 1) yield;
      const [from, to] = [offsets[i]!, offsets[i + 1]!];
      if (from === to) continue;
      const group = groups[i]!;
      const isRun = form === "runs";
      const first = coarserBucket(buckets[isRun ? i : from]!, finer, subBits);
      const end = isRun ? buckets[i]! + to - from - 1 : buckets[to - 1]!;
      const last = coarserBucket(end, finer, subBits);
      const isFirst = sources[group]! === 0;
      if (isFirst || first < firsts[group]!) firsts[group] = first;
      if (isFirst || last >= ends[group]!) ends[group] = last + 1;
      sources[group]! += 1;
    }
  }
  const offsets = new Uint32Array(groupCount + 1);
  let sourcesMost = 1;
  let room = 0;
  for (let group = 0; group < groupCount; group++) {
    room += ends[group]! - firsts[group]!;
    if (room > roomMax) return null;
    offsets[group + 1] = room;
    sourcesMost = Math.max(sourcesMost, sources[group]!);
  }
  return { firsts, offsets, room, sourcesMost };
}

/** No cell that these come to is above this; what is in narrow arrays need not be looked at. */
function boundOf(
  { weights, subBits: own }: HistogramColumn,
  subBits: number,
  sourcesMost: number,
): number {
  const share = 2 ** (own - subBits);
  const most = (2 ** (8 * weights.BYTES_PER_ELEMENT) - 1) * share;
  return most * sourcesMost < 2 ** 32 ? most : largestOf(weights) * share;
}
