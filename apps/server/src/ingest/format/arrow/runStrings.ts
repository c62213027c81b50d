import type { Data, DataType } from "apache-arrow";
import { ByteDictionary, hashBytes, hashSeed } from "../../../base/bytes/byteDictionary.js";
import { viewOf } from "../../../base/bytes/byteView.js";
import type { EncodedStrings } from "../../../base/bytes/stringList.js";
import { takeStrings } from "../../../base/row/takeRows.js";
import {
  type BuildRun,
  type ConsecutiveTexts,
  presenceOfRun,
  type RowRun,
  stringColumnOf,
} from "./arrowRun.js";
import type { ReadBudget } from "./arrowStrings.js";

/** Dictionaries of more bytes are read value by value, of those that rows have alone. */
const keyedBytesMax = 4_194_304;

/** Strings in the rows themselves. */
export function buildTexts(
  data: Data<DataType>,
  texts: ConsecutiveTexts,
  budget: ReadBudget,
): BuildRun {
  return (name, run) => {
    const places = placesOf(texts, run);
    if (places === null) return null;
    const presence = presenceOfRun(data, run);
    const { present } = presence;
    budget.take(textBytes(places, present));
    const dictionary = new ByteDictionary();
    // The string of row i is that before place i + 1, and its code comes one behind that.
    const codes = new Uint32Array(run.count + 2);
    if (present === null)
      dictionary.internRange({ text: texts.bytes, ends: places }, 1, run.count + 1, codes);
    else {
      const view = viewOf(texts.bytes);
      for (let i = 0; i < run.count; i++) {
        if (present[i] === 0) continue;
        const [start, end] = [places[i]!, places[i + 1]!];
        const hash = hashBytes(view, start, end, hashSeed);
        codes[i + 2] = dictionary.intern(view, start, end, hash);
      }
    }
    return stringColumnOf(name, dictionary.encodeAll(), codes.subarray(2), presence);
  };
}

function textBytes(places: Uint32Array, present: Uint8Array | null): number {
  if (present === null) return places.at(-1)! - places[0]!;
  let bytes = 0;
  for (let i = 0; i < present.length; i++) bytes += present[i]! * (places[i + 1]! - places[i]!);
  return bytes;
}

/**
 * Where the strings of a run begin, and the last one ends; null where one is not UTF-8, or not
 * where it must be.
 */
function placesOf({ bytes, isUtf8, offsets }: ConsecutiveTexts, run: RowRun): Uint32Array | null {
  if (!isUtf8) return null;
  const places = new Uint32Array(run.count + 1);
  let before = 0;
  for (let i = 0; i <= run.count; i++) {
    const place = Number(offsets[run.from + i]);
    const isInside = place >= before && place <= bytes.length;
    // Between two characters.
    if (!isInside || (place < bytes.length && (bytes[place]! & 0xc0) === 0x80)) return null;
    places[i] = place;
    before = place;
  }
  return places;
}

type Keys = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

/** Keys of a dictionary whose values all have texts, each another one. */
export function buildKeyed(
  data: Data<DataType>,
  keys: Keys,
  { texts, budget }: { readonly texts: () => KeyedTexts | null; readonly budget: ReadBudget },
): BuildRun {
  return (name, run) => {
    const values = texts();
    if (values === null) return null;
    const presence = presenceOfRun(data, run);
    const codes = new Uint32Array(run.count);
    const used = values.codesOf(keys, run, presence.present, codes);
    if (used === null) return null;
    const strings = takeStrings(values.strings, used);
    budget.take(strings.text.length);
    return stringColumnOf(name, strings, codes, presence);
  };
}

/** The distinct values of a dictionary. */
export class KeyedTexts {
  readonly strings: EncodedStrings;
  /** By key: its code in the run at hand. */
  readonly #codes: Uint32Array;

  private constructor(strings: EncodedStrings) {
    this.strings = strings;
    this.#codes = new Uint32Array(strings.lengths.length);
  }

  /** null: a value is missing, is not UTF-8 or comes twice, or they are long. */
  static open(
    { length: count, nullCount }: Data<DataType>,
    texts: ConsecutiveTexts,
  ): KeyedTexts | null {
    if (texts.bytes.length > keyedBytesMax || nullCount > 0) return null;
    const places = placesOf(texts, { from: 0, count });
    if (places === null) return null;
    const dictionary = new ByteDictionary();
    const range = { text: texts.bytes, ends: places };
    dictionary.internRange(range, 1, count + 1, new Uint32Array(count + 2));
    if (dictionary.size < count) return null;
    const [first] = places;
    const ends = places.subarray(1).map((end) => end - first!);
    return new KeyedTexts({ ...dictionary.encodeAll(), ends });
  }

  /**
   * Numbers the values in the order in which rows have them, from 1, into `codes`. Returns the
   * values by number; null where a key has no value.
   */
  codesOf(
    keys: Keys,
    { from, count }: RowRun,
    present: Uint8Array | null,
    codes: Uint32Array,
  ): Uint32Array | null {
    const known = this.#codes;
    const used = new Uint32Array(Math.min(known.length, count));
    let usedCount = 0;
    let isWhole = true;
    for (let i = 0; i < count; i++) {
      if (present !== null && present[i] === 0) continue;
      const key = keys[from + i]!;
      let code = known[key];
      if (code === 0) {
        used[usedCount] = key;
        code = ++usedCount;
        known[key] = code;
      }
      if (code === undefined) {
        isWhole = false;
        break;
      }
      codes[i] = code;
    }
    const values = used.subarray(0, usedCount);
    for (const value of values) known[value] = 0;
    return isWhole ? values : null;
  }
}

/** Bits as the texts `true` and `false`. */
export function buildBits(data: Data<DataType>, bits: Uint8Array): BuildRun {
  return (name, run) => {
    const presence = presenceOfRun(data, run);
    const { present } = presence;
    const codes = new Uint32Array(run.count);
    const dictionary = new ByteDictionary();
    const codeOf: [number, number] = [0, 0];
    for (let i = 0, row = run.from; i < run.count; i++, row++) {
      if (present !== null && present[i] === 0) continue;
      const bit = (bits[row >> 3]! >> (row & 7)) & 1;
      if (codeOf[bit] === 0) codeOf[bit] = dictionary.internText(String(bit === 1));
      codes[i] = codeOf[bit]!;
    }
    return stringColumnOf(name, dictionary.encodeAll(), codes, presence);
  };
}
