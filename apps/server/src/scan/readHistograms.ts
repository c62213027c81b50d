import type { StateColumn } from "../aggregate/partialResult.js";
import { pairCountOf } from "./gatherHistogram.js";
import type { StateTask } from "./scanTask.js";

type HistogramTask = Extract<StateTask, { kind: "histogram" }>;

/** The buckets that hold something, per group, ascending. `groups` ascend. */
export function readHistograms(
  memory: WebAssembly.Memory,
  state: HistogramTask,
  groups: Uint32Array,
): StateColumn {
  const offsets = new Uint32Array(groups.length + 1);
  const found = new FoundBuckets(state.firstBucket);
  if (state.store.kind === "dense") readDense(memory, state, groups, offsets, found);
  else readSparse(memory, state, groups, offsets, found);
  return { kind: "histogram", subBits: state.subBits, offsets, ...found.take() };
}

/** Buckets in the order they are found; millions of them when there are many groups. */
class FoundBuckets {
  #buckets = new Int32Array(1_024);
  #weights = new Float64Array(1_024);
  #count = 0;

  constructor(private readonly firstBucket: number) {}

  add(bucket: number, weight: number): void {
    if (this.#count === this.#buckets.length) this.#grow();
    this.#buckets[this.#count] = bucket + this.firstBucket;
    this.#weights[this.#count++] = weight;
  }

  take(): { readonly buckets: Int32Array; readonly weights: Float64Array } {
    return {
      buckets: this.#buckets.slice(0, this.#count),
      weights: this.#weights.slice(0, this.#count),
    };
  }

  #grow(): void {
    const buckets = new Int32Array(this.#count * 2);
    const weights = new Float64Array(this.#count * 2);
    buckets.set(this.#buckets);
    weights.set(this.#weights);
    this.#buckets = buckets;
    this.#weights = weights;
  }
}

function readDense(
  memory: WebAssembly.Memory,
  { store, bucketCount }: HistogramTask,
  groups: Uint32Array,
  offsets: Uint32Array,
  found: FoundBuckets,
): void {
  if (store.kind !== "dense") throw new Error("read the pairs of a sparse histogram");
  const groupEnd = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  const words = new Int32Array(memory.buffer, store.buckets, groupEnd * bucketCount * 2);
  for (let i = 0; i < groups.length; i++) {
    const start = groups[i]! * bucketCount * 2;
    let used = offsets[i]!;
    for (let bucket = 0; bucket < bucketCount; bucket++) {
      const low = words[start + bucket * 2]!;
      const high = words[start + bucket * 2 + 1]!;
      if (low === 0 && high === 0) continue;
      found.add(bucket, high * 2 ** 32 + (low >>> 0));
      used++;
    }
    offsets[i + 1] = used;
  }
}

/** Sorts the pairs by key, so that they come by group and bucket, and walks them along with the groups. */
function readSparse(
  memory: WebAssembly.Memory,
  { store, bucketCount }: HistogramTask,
  groups: Uint32Array,
  offsets: Uint32Array,
  found: FoundBuckets,
): void {
  if (store.kind !== "sparse") throw new Error("a dense histogram has no pairs");
  const count = pairCountOf(store);
  const keyWords = new Uint32Array(memory.buffer, store.table.keys, count * 2);
  const weightWords = new Int32Array(memory.buffer, store.weights, count * 2);
  const keyOf = (pair: number): number => keyWords[pair * 2 + 1]! * 2 ** 32 + keyWords[pair * 2]!;
  const order = new Uint32Array(count);
  for (let pair = 0; pair < count; pair++) order[pair] = pair;
  order.sort((a, b) => keyOf(a) - keyOf(b));
  let at = 0;
  for (let i = 0; i < groups.length; i++) {
    const firstKey = groups[i]! * bucketCount;
    while (at < count && keyOf(order[at]!) < firstKey) at++;
    let used = offsets[i]!;
    for (; at < count && keyOf(order[at]!) < firstKey + bucketCount; at++, used++) {
      const pair = order[at]!;
      const weight = weightWords[pair * 2 + 1]! * 2 ** 32 + (weightWords[pair * 2]! >>> 0);
      found.add(keyOf(pair) - firstKey, weight);
    }
    offsets[i + 1] = used;
  }
}
