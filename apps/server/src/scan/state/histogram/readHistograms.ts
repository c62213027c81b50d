import {
  type BucketWeights,
  createWeights,
  largestOf,
  weightBytesFor,
} from "../../../aggregate/partial/bucketWeights.js";
import type { StateColumn } from "../../../aggregate/partial/partialResult.js";
import type { Steps } from "../../../base/schedule/steps.js";
import { segmentRowsMax } from "../../../store/segment/segmentView.js";
import {
  type CoarseHistogram,
  type Counters,
  HistogramProgress,
  type HistogramTask,
} from "../../task/histogramTask.js";
import type { ReadContext } from "../readContext.js";
import { noNumber, readRuns } from "./readRuns.js";
import { eachSpilled, readSpilled } from "./readSpilled.js";

/** Groups and pairs of one step: some tenths of a millisecond. */
const stepLength = 4_096;

/**
 * The buckets that are not empty, per group, ascending. `groups` ascend. Between two steps nothing
 * stays in the scratch.
 */
export function* readHistogramSteps(
  context: ReadContext,
  task: HistogramTask,
  groups: Uint32Array,
): Steps<StateColumn> {
  const { fine, coarse } = task;
  if (!new HistogramProgress(context.memory, task).isCoarse) {
    return yield* readCounters(context, fine, numbersOf(context.memory, task, groups));
  }
  if (coarse === null) throw new Error("there are no coarse histograms");
  if (coarse.kind === "dense") return yield* readCounters(context, coarse, groups);
  const listed = new ListedBuckets(groups.length);
  const pairs = new HistogramProgress(context.memory, task).pairs;
  yield* readSparse(context.memory, { ...coarse, pairs }, groups, listed);
  return { kind: "histogram", form: "listed", subBits: coarse.shape.subBits, ...listed.take() };
}

/** Upper bound of the counters to read for this many groups. */
export function countersMax(
  memory: WebAssembly.Memory,
  task: HistogramTask,
  groups: number,
): number {
  const { isCoarse, numbered, pairs } = new HistogramProgress(memory, task);
  const { fine, coarse } = task;
  if (!isCoarse || coarse === null) {
    const known = fine.numberOf === 0 ? fine.groupsMax : numbered;
    return Math.min(groups, known) * fine.shape.bucketCount;
  }
  return coarse.kind === "sparse" ? pairs : groups * coarse.shape.bucketCount;
}

/** As runs, or as lists where runs would be mostly gaps. */
function* readCounters(
  context: ReadContext,
  counters: Counters,
  numbers: Uint32Array,
): Steps<StateColumn> {
  const { subBits } = counters.shape;
  const runs = readRuns(context, counters, numbers);
  yield;
  if (runs !== null) return { kind: "histogram", subBits, ...runs };
  const listed = new ListedBuckets(numbers.length);
  yield* listCounters(context, counters, numbers, listed);
  return { kind: "histogram", form: "listed", subBits, ...listed.take() };
}

/** Each group's number in the fine histograms; `noNumber` for a group without values. */
function numbersOf(
  memory: WebAssembly.Memory,
  { fine }: HistogramTask,
  groups: Uint32Array,
): Uint32Array {
  if (fine.numberOf === 0) return groups;
  const groupEnd = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  const numberOf = new Uint32Array(memory.buffer, fine.numberOf, groupEnd);
  return groups.map((group) => numberOf[group]! - 1);
}

/**
 * The buckets of all groups, in their order. There may be millions of them: weights are stored as
 * narrow as they fit.
 */
class ListedBuckets {
  /** Where the buckets of each group start, and the end. */
  readonly offsets: Uint32Array;
  readonly #parts: { readonly buckets: Int16Array; readonly weights: BucketWeights }[] = [];
  #weightBytes = 1;
  #count = 0;

  constructor(groupCount: number) {
    this.offsets = new Uint32Array(groupCount + 1);
  }

  get count(): number {
    return this.#count;
  }

  add(buckets: Int32Array, weights: Float64Array): void {
    const weightBytes = weightBytesFor(largestOf(weights));
    const narrow = createWeights(weightBytes, weights.length);
    narrow.set(weights);
    this.#parts.push({ buckets: new Int16Array(buckets), weights: narrow });
    this.#weightBytes = Math.max(this.#weightBytes, weightBytes);
    this.#count += buckets.length;
  }

  take(): {
    readonly offsets: Uint32Array;
    readonly buckets: Int16Array;
    readonly weights: BucketWeights;
  } {
    const buckets = new Int16Array(this.#count);
    const weights = createWeights(this.#weightBytes, this.#count);
    let at = 0;
    for (const part of this.#parts) {
      buckets.set(part.buckets, at);
      weights.set(part.weights, at);
      at += part.buckets.length;
    }
    return { offsets: this.offsets, buckets, weights };
  }
}

/** The kernel lists as many groups at a time as fit its scratch: all buckets of one group do. */
function* listCounters(
  { memory, kernel, scratch }: ReadContext,
  counters: Counters,
  numbers: Uint32Array,
  found: ListedBuckets,
): Steps<void> {
  const { buffer } = memory;
  const { offsets } = found;
  const { histogram, shape, counterBytes } = counters;
  const spilled = readSpilled(memory, counters);
  const out = {
    buckets: scratch.codes,
    weights: scratch.keys,
    ends: scratch.pairs,
    room: segmentRowsMax,
  };
  const wanted = new Uint32Array(buffer, scratch.rows, segmentRowsMax);
  const ends = new Uint32Array(buffer, scratch.pairs, segmentRowsMax);
  for (let at = 0; at < numbers.length; ) {
    if (numbers[at] === noNumber) {
      offsets[at + 1] = found.count;
      at += 1;
      continue;
    }
    const missing = numbers.indexOf(noNumber, at);
    const part = numbers.subarray(
      at,
      Math.min(missing < 0 ? numbers.length : missing, at + segmentRowsMax),
    );
    wanted.set(part);
    const done = kernel.listBuckets(out, histogram, counterBytes, scratch.rows, part.length, shape);
    const start = found.count;
    for (let i = 0; i < done; i++) offsets[at + i + 1] = start + ends[i]!;
    const count = ends[done - 1]!;
    const buckets = new Int32Array(buffer, out.buckets, count);
    const weights = new Float64Array(buffer, out.weights, count);
    let listed = 0;
    eachSpilled(spilled, part.subarray(0, done), (place, cell, weight) => {
      const from = Math.max(listed, place === 0 ? 0 : ends[place - 1]!);
      listed = buckets.indexOf(shape.firstBucket + cell, from);
      weights[listed]! += weight;
    });
    found.add(buckets, weights);
    at += done;
    yield;
  }
}

type SparsePairs = Extract<CoarseHistogram, { kind: "sparse" }> & {
  /** Number of pairs of group and bucket. */
  readonly pairs: number;
};

/** Sorts the pairs by group, then by bucket. */
function* readSparse(
  memory: WebAssembly.Memory,
  { shape, table, weights, pairs: count }: SparsePairs,
  groups: Uint32Array,
  found: ListedBuckets,
): Steps<void> {
  const { offsets } = found;
  const { bucketCount, firstBucket } = shape;
  const keyWords = new Uint32Array(memory.buffer, table.keys, count * 2);
  const weightWords = new Int32Array(memory.buffer, weights, count * 2);
  const groupEnd = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  // The index of each pair's group among the wanted ones; -1: it was cut.
  const placeOf = new Int32Array(groupEnd).fill(-1);
  for (let i = 0; i < groups.length; i++) placeOf[groups[i]!] = i;
  const keyOf = (pair: number): number => keyWords[pair * 2 + 1]! * 2 ** 32 + keyWords[pair * 2]!;
  const places = new Int32Array(count);
  for (let pair = 0; pair < count; pair++) {
    const group = Math.floor(keyOf(pair) / bucketCount);
    const place = group < groupEnd ? placeOf[group]! : -1;
    places[pair] = place;
    if (place >= 0) offsets[place + 1]! += 1;
    if (pair % stepLength === 0) yield;
  }
  for (let i = 0; i < groups.length; i++) offsets[i + 1]! += offsets[i]!;
  const next = offsets.slice(0, groups.length);
  // A bucket (14 bits) above a pair (23 bits) in one number sorts by bucket, then by pair.
  const sorted = new Float64Array(offsets[groups.length]!);
  for (let pair = 0; pair < count; pair++) {
    const place = places[pair]!;
    if (place >= 0) sorted[next[place]!++] = (keyOf(pair) % bucketCount) * 2 ** 32 + pair;
    if (pair % stepLength === 0) yield;
  }
  for (let i = 0; i < groups.length; i++) {
    // Most of many groups have one bucket.
    if (offsets[i + 1]! > offsets[i]! + 1) sorted.subarray(offsets[i]!, offsets[i + 1]!).sort();
    if (i % stepLength === 0) yield;
  }
  const buckets = new Int32Array(sorted.length);
  const totals = new Float64Array(sorted.length);
  for (let i = 0; i < sorted.length; i++) {
    const bucket = Math.floor(sorted[i]! / 2 ** 32);
    const pair = sorted[i]! - bucket * 2 ** 32;
    buckets[i] = firstBucket + bucket;
    totals[i] = weightWords[pair * 2 + 1]! * 2 ** 32 + (weightWords[pair * 2]! >>> 0);
    if (i % stepLength === 0) yield;
  }
  found.add(buckets, totals);
}
