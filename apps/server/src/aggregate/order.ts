import { compareCodePoints } from "../base/codePointOrder.js";
import { selectLargest } from "../base/selectLargest.js";
import { sortSteps } from "../base/sortSteps.js";
import { atOnce, type Steps } from "../base/steps.js";
import type { DictionaryBytes, KeyColumn } from "./partialResult.js";
import { partitionBest } from "./partitionBest.js";
import { dictionarySize, type StringKeys } from "./stringKeys.js";

const two32 = 2 ** 32;
/** |high half| below this: the integer is exact in an f64. */
const highSafe = 2 ** 21;
const beyondSurrogates = /[\ud800-\uffff]/;

/** Values to order by: each as a number that sorts as it does. A missing one is Infinity: last ascending, first descending. */
export interface OrderColumn {
  readonly ordinals: Float64Array;
  readonly desc: boolean;
  /** Below 0 where a sorts before b ascending, without ordinals; they are worked out when there is much to compare. */
  readonly compare?: (a: number, b: number) => number;
}

/** Numbers of the best `limit` of `count` things, best first; full ties keep their order. */
export function bestFirst(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Uint32Array {
  return atOnce(firstSteps(count, columns, limit));
}

/** So many are sorted at once, in some milliseconds. */
const sortedAtOnceMax = 16_384;

/** {@link bestFirst}, a step at a time. */
export function* firstSteps(
  count: number,
  columns: readonly OrderColumn[],
  limit: number,
): Steps<Uint32Array> {
  const compare = createCompare(columns);
  const candidates = limit < count ? candidatesOf(count, columns[0], limit).things : allOf(count);
  // So many tie that sorting them costs more than keeping the best in a heap.
  if (candidates.length > 8 * limit) return yield* bestOfHeap(candidates, limit, compare);
  const sorted =
    candidates.length > sortedAtOnceMax
      ? yield* sortSteps(candidates, compare)
      : sortThings(candidates, columns[0], compare);
  return sorted.subarray(0, limit);
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

/** Ordinals of finished values: f64 where they are exact, else their ranks. */
export function ordinalsOfValues(values: readonly (number | bigint | null)[]): Float64Array {
  const ordinals = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (typeof value === "bigint") return ranksOf(values);
    ordinals[i] = value === null ? Number.POSITIVE_INFINITY : value;
  }
  return ordinals;
}

export function ordinalsOfKeys(key: KeyColumn): Float64Array {
  switch (key.kind) {
    case "bucket":
      return Float64Array.from(key.indexes);
    case "int":
      return ordinalsOfInts(key.values, key.present);
    case "string": {
      const { codes } = key;
      const ranks = ranksOfStrings(key.dictionary);
      const ordinals = new Float64Array(codes.length);
      for (let i = 0; i < codes.length; i++) {
        ordinals[i] = codes[i]! < 0 ? Number.POSITIVE_INFINITY : ranks[codes[i]!]!;
      }
      return ordinals;
    }
  }
}

/** A column of keys, worked out when a tie first asks for it. */
export function keyColumnOrder(key: KeyColumn, desc: boolean): OrderColumn {
  let known: Float64Array | null = null;
  const ordinalsOf = (): Float64Array => {
    known ??= ordinalsOfKeys(key);
    return known;
  };
  return {
    get ordinals() {
      return ordinalsOf();
    },
    desc,
    ...(key.kind === "string" ? { compare: compareStrings(key, ordinalsOf) } : {}),
  };
}

/** Ties are few as a rule, and compared as they are: to rank a dictionary is to sort all of it. */
const comparesPerString = 4;

function compareStrings(
  keys: StringKeys,
  ordinalsOf: () => Float64Array,
): (a: number, b: number) => number {
  const { codes, bytes } = keys;
  let comparesLeft = dictionarySize(keys) * comparesPerString;
  let compareTexts: ((a: string, b: string) => number) | null = null;
  return (a, b) => {
    const [x, y] = [codes[a]!, codes[b]!];
    if (x === y) return 0;
    if (x < 0 || y < 0) return x < 0 ? 1 : -1;
    if (comparesLeft > 0) {
      comparesLeft--;
      if (bytes !== undefined) return compareEntries(bytes, x, y);
      const { dictionary } = keys;
      compareTexts ??= textOrderOf(dictionary);
      return compareTexts(dictionary[x]!, dictionary[y]!);
    }
    const ordinals = ordinalsOf();
    return ordinals[a]! - ordinals[b]!;
  };
}

/** UTF-8 sorts by code point as it is. */
function compareEntries({ text, ends }: DictionaryBytes, x: number, y: number): number {
  const [xStart, yStart] = [x === 0 ? 0 : ends[x - 1]!, y === 0 ? 0 : ends[y - 1]!];
  const xBytes = ends[x]! - xStart;
  const yBytes = ends[y]! - yStart;
  const common = Math.min(xBytes, yBytes);
  for (let i = 0; i < common; i++) {
    const difference = text[xStart + i]! - text[yStart + i]!;
    if (difference !== 0) return difference;
  }
  return xBytes - yBytes;
}

/** By code point. Below the surrogates that is UTF-16 order, in which the engine's own comparison is quick. */
function textOrderOf(dictionary: readonly string[]): (a: string, b: string) => number {
  return dictionary.some((text) => beyondSurrogates.test(text)) ? compareCodePoints : compareUnits;
}

/** The same order of some of the things, numbered anew. */
export function orderOf(column: OrderColumn, things: Uint32Array): OrderColumn {
  const { desc, compare } = column;
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
  };
}

/** All key columns ascending: the order that settles ties. */
export function keyOrder(keys: readonly KeyColumn[]): OrderColumn[] {
  return keys.map((key) => keyColumnOrder(key, false));
}

/** Without a bigint for each: their halves make exact doubles up to 2^53. */
function ordinalsOfInts(values: BigInt64Array, present: Uint8Array): Float64Array {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  const ordinals = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const high = halves[2 * i + 1]!;
    if (high >= highSafe || high < -highSafe) {
      return ranksOf(Array.from(values, (value, j) => (present[j] === 0 ? null : value)));
    }
    const value = high * two32 + (halves[2 * i]! >>> 0);
    ordinals[i] = present[i] === 0 ? Number.POSITIVE_INFINITY : value;
  }
  return ordinals;
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
  const order = new Uint32Array(dictionary.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  const compare = textOrderOf(dictionary);
  order.sort((a, b) => compare(dictionary[a]!, dictionary[b]!));
  const ranks = new Float64Array(dictionary.length);
  let rank = 0;
  for (let i = 0; i < order.length; i++) {
    if (i > 0 && dictionary[order[i - 1]!] !== dictionary[order[i]!]) rank += 1;
    ranks[order[i]!] = rank;
  }
  return ranks;
}

function compareUnits(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
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
