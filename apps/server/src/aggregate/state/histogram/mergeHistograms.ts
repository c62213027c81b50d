import { coarserBucket, subBitsMax } from "@hadal/kernel-wasm";
import { atOnce, type Steps } from "../../../base/schedule/steps.js";
import { createWeights, largestOf, weightBytesFor } from "../../partial/bucketWeights.js";
import type { StateColumn } from "../../partial/partialResult.js";
import { columnOf, type MergeInput } from "../stateKind.js";
import { asListed, mergeRuns, stepGroups } from "./histogramRuns.js";
import { MergedRuns, type PackedInput } from "./mergedRuns.js";
import { coarserPacked, type HistogramColumn } from "./packedRuns.js";

/** Adds up the buckets of each group; the coarsest of those inputs that hold anything sets the fineness. */
export function* mergeHistograms(
  inputs: readonly MergeInput[],
  groupCount: number,
): Steps<HistogramColumn> {
  const filled = inputs.filter(({ column }) => holdsAnything(column));
  const counted = filled.length === 0 ? inputs : filled;
  const subBits = counted.reduce(
    (least, { column }) => Math.min(least, columnOf(column, "histogram").subBits),
    subBitsMax,
  );
  const merge = () => atOnce(mergeAll(filled, groupCount, subBits));
  const packed = packedInputs(filled, subBits);
  const runs = packed && MergedRuns.of(packed, groupCount, subBits, merge);
  return runs ?? (yield* mergeAll(filled, groupCount, subBits));
}

function holdsAnything(column: StateColumn): boolean {
  const histogram = columnOf(column, "histogram");
  return (histogram.form === "packed" ? histogram.cells : histogram.weights).length > 0;
}

/** So fine; null unless all of them are packed. */
function packedInputs(
  inputs: readonly MergeInput[],
  subBits: number,
): readonly [PackedInput, ...PackedInput[]] | null {
  const packed: PackedInput[] = [];
  for (const { column, groups } of inputs) {
    const histogram = columnOf(column, "histogram");
    if (histogram.form !== "packed") return null;
    packed.push({ column: coarserPacked(histogram, subBits), groups });
  }
  const [first, ...others] = packed;
  return first === undefined ? null : [first, ...others];
}

function* mergeAll(
  inputs: readonly MergeInput[],
  groupCount: number,
  subBits: number,
): Steps<HistogramColumn> {
  const merged = inputs.length === 0 ? null : yield* mergeRuns(inputs, groupCount, subBits);
  const listed = () => inputs.map(({ column }) => asListed(column));
  return merged ?? (yield* mergeListed(inputs, listed(), groupCount, subBits));
}

function* mergeListed(
  inputs: readonly MergeInput[],
  columns: readonly HistogramColumn[],
  groupCount: number,
  subBits: number,
): Steps<HistogramColumn> {
  const sources = sourcesOfGroups(inputs, groupCount);
  const out = createTarget(columns, subBits, sources.most);
  const offsets = new Uint32Array(groupCount + 1);
  const sums = new BucketSums();
  let used = 0;
  for (let group = 0; group < groupCount; group++) {
    if (group % stepGroups === stepGroups - 1) yield;
    const start = sources.offsets[group]!;
    const end = sources.offsets[group + 1]!;
    const first = columns[sources.inputIndexes[start]!];
    if (end - start === 1 && first?.subBits === subBits) {
      used = copyBuckets(first, sources.groups[start]!, out, used);
    } else {
      for (let source = start; source < end; source++) {
        sums.add(columns[sources.inputIndexes[source]!]!, sources.groups[source]!, subBits);
      }
      used = sums.moveTo(out, used);
    }
    offsets[group + 1] = used;
  }
  const { buckets, weights } = out;
  return {
    ...{ kind: "histogram", form: "listed", subBits, offsets },
    ...{ buckets: buckets.subarray(0, used), weights: weights.subarray(0, used) },
  };
}

type Buckets = Pick<HistogramColumn, "buckets" | "weights">;

/** Room for all buckets, of weights that are wide enough whatever falls together. */
function createTarget(
  columns: readonly HistogramColumn[],
  subBits: number,
  sourcesMost: number,
): Buckets {
  let room = 0;
  let largest = 0;
  for (const column of columns) {
    room += column.buckets.length;
    // How many of its buckets become one.
    const share = 2 ** (column.subBits - subBits);
    largest = Math.max(largest, largestOf(column.weights) * share);
  }
  return {
    buckets: new Int16Array(room),
    weights: createWeights(weightBytesFor(largest * sourcesMost), room),
  };
}

interface Sources {
  /** Sources of group g: [offsets[g], offsets[g + 1]). */
  readonly offsets: Uint32Array;
  readonly inputIndexes: Uint32Array;
  /** The group's number there. */
  readonly groups: Uint32Array;
  /** Of any group. */
  readonly most: number;
}

/** Turns "input → group" round to "group → inputs". */
function sourcesOfGroups(inputs: readonly MergeInput[], groupCount: number): Sources {
  const offsets = new Uint32Array(groupCount + 1);
  for (const { groups } of inputs) for (const group of groups) offsets[group + 1]! += 1;
  let most = 0;
  for (let group = 0; group < groupCount; group++) {
    most = Math.max(most, offsets[group + 1]!);
    offsets[group + 1]! += offsets[group]!;
  }
  const next = offsets.slice(0, groupCount);
  const inputIndexes = new Uint32Array(offsets[groupCount]!);
  const sourceGroups = new Uint32Array(offsets[groupCount]!);
  inputs.forEach(({ groups }, inputIndex) => {
    for (let i = 0; i < groups.length; i++) {
      const at = next[groups[i]!]!++;
      inputIndexes[at] = inputIndex;
      sourceGroups[at] = i;
    }
  });
  return { offsets, inputIndexes, groups: sourceGroups, most };
}

function copyBuckets(from: HistogramColumn, group: number, out: Buckets, used: number): number {
  const start = from.offsets[group]!;
  const end = from.offsets[group + 1]!;
  for (let i = start, at = used; i < end; i++, at++) {
    out.buckets[at] = from.buckets[i]!;
    out.weights[at] = from.weights[i]!;
  }
  return used + end - start;
}

/** Bucket numbers are 16 bits wide. */
const bucketsMax = 2 ** 16;
const middle = bucketsMax / 2;
/** Up to this many places per filled bucket, places are looked at one by one rather than sorted. */
const placesPerBucket = 8;

/** One group's weights by bucket: a small dense array that stays in the nearest cache. */
class BucketSums {
  readonly #sums = new Float64Array(bucketsMax);
  /** Buckets that hold something, in the order of arrival. */
  readonly #touched = new Int16Array(bucketsMax);
  #count = 0;
  #low = middle;
  #high = -middle;

  add({ subBits, offsets, buckets, weights }: HistogramColumn, group: number, to: number): void {
    const sums = this.#sums;
    const touched = this.#touched;
    const start = offsets[group]!;
    const end = offsets[group + 1]!;
    if (start === end) return;
    let count = this.#count;
    for (let i = start; i < end; i++) {
      const bucket = subBits === to ? buckets[i]! : coarserBucket(buckets[i]!, subBits, to);
      if (sums[bucket + middle] === 0) touched[count++] = bucket;
      sums[bucket + middle]! += weights[i]!;
    }
    this.#count = count;
    // They ascend, before and after they are made coarser.
    this.#low = Math.min(this.#low, coarserBucket(buckets[start]!, subBits, to));
    this.#high = Math.max(this.#high, coarserBucket(buckets[end - 1]!, subBits, to));
  }

  /** Appends what was added up, ascending, and forgets it. Returns where it ends. */
  moveTo({ buckets, weights }: Buckets, used: number): number {
    const sums = this.#sums;
    let at = used;
    if (this.#high - this.#low < this.#count * placesPerBucket) {
      for (let bucket = this.#low; bucket <= this.#high; bucket++) {
        const sum = sums[bucket + middle]!;
        if (sum === 0) continue;
        buckets[at] = bucket;
        weights[at++] = sum;
        sums[bucket + middle] = 0;
      }
    } else {
      const touched = this.#touched.subarray(0, this.#count).sort();
      for (let i = 0; i < touched.length; i++) {
        buckets[at] = touched[i]!;
        weights[at++] = sums[touched[i]! + middle]!;
        sums[touched[i]! + middle] = 0;
      }
    }
    this.#count = 0;
    this.#low = middle;
    this.#high = -middle;
    return at;
  }
}
