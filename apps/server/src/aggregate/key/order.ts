import { selectLargest } from "../../base/number/selectLargest.js";
import { sortSteps } from "../../base/schedule/sortSteps.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { partitionBest } from "./partitionBest.js";

/** Values to order by: each as a number that sorts as it does. A missing one is Infinity: last ascending, first descending. */
export interface OrderColumn {
  readonly ordinals: Float64Array;
  readonly desc: boolean;
  /** Below 0 where a sorts before b ascending, without ordinals; they are worked out when there is much to compare. */
  readonly compare?: (a: number, b: number) => number;
  /** Works them out a step at a time, before there is much to compare. */
  readonly rankSteps?: () => Steps<void>;
}

/** Numbers of the best `limit` of `count` things, best first; full ties keep their order. */
export function bestFirst(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Uint32Array {
  return atOnce(firstSteps(count, columns, limit));
}

/** Up to this number things are sorted in one step, which takes some milliseconds. */
const sortedAtOnceMax = 16_384;

/** {@link bestFirst}, a step at a time. */
export function* firstSteps(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Steps<Uint32Array> {
  const compare = createCompare(columns);
  const candidates = limit < count ? candidatesOf(count, columns[0], limit).things : allOf(count);
  if (candidates.length > sortedAtOnceMax) yield* rankAhead(candidates, columns);
  // With this many ties sorting costs more than keeping the best in a heap.
  if (candidates.length > 8 * limit) return yield* bestOfHeap(candidates, limit, compare);
  const sorted =
    candidates.length > sortedAtOnceMax
      ? yield* sortSteps(candidates, compare)
      : sortThings(candidates, columns[0], compare);
  return sorted.subarray(0, limit);
}

/** How many things are sampled to see how well a column distinguishes them, */
const sampledThings = 256;
/** and with fewer ranks than these the next column is compared most of the time. */
const sampledRanksMin = 128;

/** Ranks the strings that will be compared so often that they are ranked anyway, and then in one step. */
function* rankAhead(things: Uint32Array, columns: readonly OrderColumn[]): Steps<void> {
  const stride = Math.ceil(things.length / sampledThings);
  for (const column of columns) {
    if (column.rankSteps !== undefined) {
      yield* column.rankSteps();
      return;
    }
    const { ordinals } = column;
    const ranks = new Set<number>();
    for (let i = 0; i < things.length; i += stride) ranks.add(ordinals[things[i]!]!);
    if (ranks.size >= sampledRanksMin) return;
  }
}

/** The same things in their own order, not in that of their ranks: nothing but ties with the last of them is compared. */
export function bestOf(count: number, columns: readonly OrderColumn[], limit: number): Uint32Array {
  return atOnce(bestSteps(count, columns, limit));
}

export function* bestSteps(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Steps<Uint32Array> {
  if (limit >= count) return allOf(count);
  const { things, ties } = candidatesOf(count, columns[0], limit);
  const excess = things.length - limit;
  if (excess <= 0) return things;
  yield* partitionBest(ties, ties.length - excess, createCompare(columns));
  const isLost = new Uint8Array(count);
  for (let i = ties.length - excess; i < ties.length; i++) isLost[ties[i]!] = 1;
  return things.filter((thing) => isLost[thing] === 0);
}

/** Fewer are sorted by comparing. */
const placedMin = 64;

/** The first column's numbers are sorted as they are, ten times as fast as by a comparison; each thing finds its place among them, and what ties there is compared. */
function sortThings(
  things: Uint32Array,
  first: OrderColumn | undefined,
  compare: (a: number, b: number) => number,
): Uint32Array {
  if (first === undefined || first.compare !== undefined || things.length < placedMin) {
    return things.sort(compare);
  }
  const { ordinals, desc } = first;
  const ranks = new Float64Array(things.length);
  let most = 0;
  let areWhole = true;
  for (let i = 0; i < ranks.length; i++) {
    const rank = desc ? -ordinals[things[i]!]! : ordinals[things[i]!]!;
    ranks[i] = rank;
    areWhole &&= Math.floor(rank) === rank;
    most = Math.max(most, Math.abs(rank));
  }
  // What is no number makes no number of the most.
  if (Number.isNaN(most)) return things.sort(compare);
  return areWhole && most < wholeMax / things.length
    ? placeWhole(things, ranks, compare)
    : placeAny(things, ranks, compare);
}

/** A rank times the number of things, and a place below that, are exact together. */
const wholeMax = 2 ** 52;

/** Whole ranks carry the places of their things with them. */
function placeWhole(
  things: Uint32Array,
  ranks: Float64Array,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const { length } = things;
  for (let i = 0; i < length; i++) ranks[i] = ranks[i]! * length + i;
  ranks.sort();
  const placed = new Uint32Array(length);
  let start = 0;
  let before = Number.NaN;
  for (let i = 0; i < length; i++) {
    const rank = Math.floor(ranks[i]! / length);
    placed[i] = things[ranks[i]! - rank * length]!;
    if (rank !== before) {
      sortTies(placed, start, i, compare);
      start = i;
    }
    before = rank;
  }
  sortTies(placed, start, length, compare);
  return placed;
}

function placeAny(
  things: Uint32Array,
  ranks: Float64Array,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const sorted = ranks.slice().sort();
  const placed = new Uint32Array(things.length);
  const filled = new Uint32Array(things.length);
  for (let i = 0; i < things.length; i++) {
    const start = firstNotBelow(sorted, ranks[i]!);
    placed[start + filled[start]!] = things[i]!;
    filled[start]! += 1;
  }
  for (let start = 0; start < placed.length; start += filled[start]!) {
    sortTies(placed, start, start + filled[start]!, compare);
  }
  return placed;
}

/** So few are sorted by insertion: it asks no more than a sort that has to be set up. */
const insertedMax = 8;

function sortTies(
  things: Uint32Array,
  start: number,
  end: number,
  compare: (a: number, b: number) => number,
): void {
  if (end - start > insertedMax) {
    things.subarray(start, end).sort(compare);
    return;
  }
  for (let i = start + 1; i < end; i++) {
    const thing = things[i]!;
    let at = i;
    for (; at > start && compare(things[at - 1]!, thing) > 0; at--) things[at] = things[at - 1]!;
    things[at] = thing;
  }
}

function firstNotBelow(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function allOf(count: number): Uint32Array {
  const all = new Uint32Array(count);
  for (let i = 0; i < count; i++) all[i] = i;
  return all;
}

interface Candidates {
  /** Ascending. */
  readonly things: Uint32Array;
  /** Those of them that the first column takes for the last of the best: some of them are not. */
  readonly ties: Uint32Array;
}

/** Those that the first column alone leaves among the best: the others need no comparison. */
function candidatesOf(count: number, column: OrderColumn | undefined, limit: number): Candidates {
  if (column === undefined || limit === 0) {
    return { things: allOf(count).subarray(0, limit), ties: new Uint32Array(0) };
  }
  const { ordinals, desc } = column;
  const ranks = new Float64Array(count);
  for (let i = 0; i < count; i++) ranks[i] = desc ? ordinals[i]! : -ordinals[i]!;
  const threshold = selectLargest(ranks.slice(), limit);
  const things = new Uint32Array(count);
  const ties = new Uint32Array(count);
  let [used, tied] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (!(ranks[i]! >= threshold)) continue;
    things[used++] = i;
    if (ranks[i] === threshold) ties[tied++] = i;
  }
  return { things: things.subarray(0, used), ties: ties.subarray(0, tied) };
}

/** The same order of some of the things, renumbered. */
export function orderOf(column: OrderColumn, things: Uint32Array): OrderColumn {
  const { desc, compare, rankSteps } = column;
  let known: Float64Array | null = null;
  return {
    get ordinals() {
      if (known !== null) return known;
      const { ordinals } = column;
      known = new Float64Array(things.length);
      for (let i = 0; i < things.length; i++) known[i] = ordinals[things[i]!]!;
      return known;
    },
    desc,
    ...(compare === undefined ? {} : { compare: (a, b) => compare(things[a]!, things[b]!) }),
    ...(rankSteps === undefined ? {} : { rankSteps }),
  };
}

function createCompare(columns: readonly OrderColumn[]): (a: number, b: number) => number {
  return (a, b) => {
    for (const column of columns) {
      if (column.compare !== undefined) {
        const order = column.compare(a, b);
        if (order !== 0) return order < 0 !== column.desc ? -1 : 1;
        continue;
      }
      const x = column.ordinals[a]!;
      const y = column.ordinals[b]!;
      if (x !== y) return x < y !== column.desc ? -1 : 1;
    }
    return a - b;
  };
}

/** About a millisecond of numbers, and some of long texts. */
const comparedPerStep = 1_024;

/** Keeps the best in a heap whose root is the worst of them: most candidates cost one comparison. */
function* bestOfHeap(
  candidates: Uint32Array,
  limit: number,
  compare: (a: number, b: number) => number,
): Steps<Uint32Array> {
  const heap = candidates.slice(0, limit);
  for (let i = (limit >> 1) - 1; i >= 0; i--) siftDown(heap, i, compare);
  for (let i = limit; i < candidates.length && limit > 0; i++) {
    if (i % comparedPerStep === 0) yield;
    if (compare(candidates[i]!, heap[0]!) >= 0) continue;
    heap[0] = candidates[i]!;
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
