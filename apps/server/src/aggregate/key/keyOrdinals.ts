import { sortSteps } from "../../base/schedule/sortSteps.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import type { DictionaryBytes, KeyColumn } from "../partial/partialResult.js";
import { dictionarySize, type StringKeys } from "../partial/stringKeys.js";
import type { OrderColumn } from "./order.js";

const two32 = 2 ** 32;
/** |high half| below this: the integer is exact in an f64. */
const highSafe = 2 ** 21;
const beyondSurrogates = /[\ud800-\uffff]/;

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
    case "string":
      return atOnce(stringOrdinals(key));
  }
}

function* stringOrdinals(keys: StringKeys): Steps<Float64Array> {
  const { codes } = keys;
  const ranks = yield* ranksOfStrings(keys);
  const ordinals = new Float64Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    ordinals[i] = codes[i]! < 0 ? Number.POSITIVE_INFINITY : ranks[codes[i]!]!;
  }
  return ordinals;
}

/** The order of a key column, computed when it is first used. */
export function keyColumnOrder(key: KeyColumn, { desc }: Pick<OrderColumn, "desc">): OrderColumn {
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
    ...(key.kind === "string"
      ? {
          *rankSteps() {
            known ??= yield* stringOrdinals(key);
          },
        }
      : {}),
  };
}

/** Ties are few as a rule, and compared as they are: to rank a dictionary is to sort all of it. */
const comparesPerString = 4;

function compareStrings(
  keys: StringKeys,
  ordinalsOf: () => Float64Array,
): (a: number, b: number) => number {
  const { codes } = keys;
  let comparesLeft = dictionarySize(keys) * comparesPerString;
  let compare: ((x: number, y: number) => number) | null = null;
  return (a, b) => {
    const [x, y] = [codes[a]!, codes[b]!];
    if (x === y) return 0;
    if (x < 0 || y < 0) return x < 0 ? 1 : -1;
    if (comparesLeft > 0) {
      comparesLeft--;
      compare ??= compareEntriesOf(keys);
      return compare(x, y);
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

/** All key columns ascending: the order that settles ties. */
export function keyOrder(keys: readonly KeyColumn[]): OrderColumn[] {
  return keys.map((key) => keyColumnOrder(key, { desc: false }));
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

function* ranksOfStrings(keys: StringKeys): Steps<Float64Array> {
  const size = dictionarySize(keys);
  const compare = compareEntriesOf(keys);
  const entries = new Uint32Array(size);
  for (let entry = 0; entry < size; entry++) entries[entry] = entry;
  const order = yield* sortSteps(entries, compare);
  const ranks = new Float64Array(size);
  let rank = 0;
  for (let i = 0; i < size; i++) {
    if (i > 0 && compare(order[i - 1]!, order[i]!) !== 0) rank += 1;
    ranks[order[i]!] = rank;
  }
  return ranks;
}

/** Of entries of its dictionary. */
function compareEntriesOf(keys: StringKeys): (x: number, y: number) => number {
  const { bytes } = keys;
  if (bytes !== undefined) return (x, y) => compareEntries(bytes, x, y);
  const { dictionary } = keys;
  const compare = textOrderOf(dictionary);
  return (x, y) => compare(dictionary[x]!, dictionary[y]!);
}

function compareUnits(a: string, b: string): number {
  if (a < b) return -1;
  return a > b ? 1 : 0;
}
