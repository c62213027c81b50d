import { compareCodePoints } from "../base/codePointOrder.js";
import type { KeyColumn } from "./partialResult.js";

/** Values to order by: each as a number that sorts as it does. A missing one is Infinity: last ascending, first descending. */
export interface OrderColumn {
  readonly ordinals: Float64Array;
  readonly desc: boolean;
}

/** Numbers of the best `limit` of `count` things, best first; full ties keep their order. */
export function bestFirst(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Uint32Array {
  const compare = createCompare(columns);
  if (limit >= count || limit > count / 8) {
    const all = new Uint32Array(count);
    for (let i = 0; i < count; i++) all[i] = i;
    return all.sort(compare).subarray(0, limit);
  }
  return bestOfHeap(count, limit, compare);
}

/** Ordinals of finished values: f64 where they are exact, else their ranks. */
export function ordinalsOfValues(values: readonly (number | bigint | null)[]): Float64Array {
  if (values.some((value) => typeof value === "bigint")) return ranksOf(values);
  return Float64Array.from(values, (value) => Number(value ?? Number.POSITIVE_INFINITY));
}

export function ordinalsOfKeys(key: KeyColumn): Float64Array {
  switch (key.kind) {
    case "bucket":
      return Float64Array.from(key.indexes);
    case "int": {
      const values = Array.from(key.values, (value, i) => (key.present[i] === 0 ? null : value));
      const areSafe = key.values.every((value) => Number.isSafeInteger(Number(value)));
      if (!areSafe) return ranksOf(values);
      return Float64Array.from(values, (value) => Number(value ?? Number.POSITIVE_INFINITY));
    }
    case "string": {
      const ranks = ranksOfStrings(key.dictionary);
      return Float64Array.from(key.codes, (code) =>
        code < 0 ? Number.POSITIVE_INFINITY : ranks[code]!,
      );
    }
  }
}

/** All key columns ascending: the order that settles ties. */
export function keyOrder(keys: readonly KeyColumn[]): OrderColumn[] {
  return keys.map((key) => ({ ordinals: ordinalsOfKeys(key), desc: false }));
}

function ranksOf(values: readonly (number | bigint | null)[]): Float64Array {
  const order = Uint32Array.from(values.keys());
  const present = order.filter((i) => values[i] !== null);
  present.sort((a, b) => compareNumbers(values[a]!, values[b]!));
  const ranks = new Float64Array(values.length).fill(Number.POSITIVE_INFINITY);
  let rank = 0;
  for (let i = 0; i < present.length; i++) {
    // Loosely equal: 1 and 1n are one value.
    if (i > 0 && compareNumbers(values[present[i - 1]!]!, values[present[i]!]!) !== 0) rank += 1;
    ranks[present[i]!] = rank;
  }
  return ranks;
}

function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}

function ranksOfStrings(dictionary: readonly string[]): Float64Array {
  const order = Uint32Array.from(dictionary.keys());
  order.sort((a, b) => compareCodePoints(dictionary[a]!, dictionary[b]!));
  const ranks = new Float64Array(dictionary.length);
  let rank = 0;
  for (let i = 0; i < order.length; i++) {
    if (i > 0 && dictionary[order[i - 1]!] !== dictionary[order[i]!]) rank += 1;
    ranks[order[i]!] = rank;
  }
  return ranks;
}

function createCompare(columns: readonly OrderColumn[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const { ordinals, desc } of columns) {
      const x = ordinals[a]!;
      const y = ordinals[b]!;
      if (x !== y) return x < y !== desc ? -1 : 1;
    }
    return a - b;
  };
}

/** Keeps the best in a heap whose root is the worst of them: most candidates cost one comparison. */
function bestOfHeap(
  count: number,
  limit: number,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const heap = new Uint32Array(limit);
  for (let i = 0; i < limit; i++) heap[i] = i;
  for (let i = (limit >> 1) - 1; i >= 0; i--) siftDown(heap, i, compare);
  for (let i = limit; i < count && limit > 0; i++) {
    if (compare(i, heap[0]!) >= 0) continue;
    heap[0] = i;
    siftDown(heap, 0, compare);
  }
  return heap.sort(compare);
}

function siftDown(
  heap: Uint32Array,
  start: number,
  compare: (a: number, b: number) => number,
): void {
  let at = start;
  for (;;) {
    const left = 2 * at + 1;
    const right = left + 1;
    let worst = at;
    if (left < heap.length && compare(heap[left]!, heap[worst]!) > 0) worst = left;
    if (right < heap.length && compare(heap[right]!, heap[worst]!) > 0) worst = right;
    if (worst === at) return;
    const moved = heap[at]!;
    heap[at] = heap[worst]!;
    heap[worst] = moved;
    at = worst;
  }
}
