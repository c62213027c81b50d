import { decodeStrings, type EncodedStrings, encodeStrings, endsOf } from "../bytes/stringList.js";
import type { CodedBatchColumn, SetForm, ValueSizes } from "./rowBatch.js";

interface CodedHead {
  readonly name: string;
  readonly type: CodedBatchColumn["type"];
  readonly set?: SetForm | undefined;
}

/** A coded column whose dictionary is decoded when its strings are first read. */
export function codedColumn(
  { name, type, set }: CodedHead,
  strings: EncodedStrings,
  codes: Uint32Array,
  sizes?: ValueSizes,
): CodedBatchColumn {
  let dictionary: readonly string[] | null = null;
  const column = {
    name,
    type,
    get dictionary(): readonly string[] {
      dictionary ??= decodeStrings(strings.text, strings.lengths);
      return dictionary;
    },
    codes,
    ...(set === undefined ? {} : { set }),
  };
  // Not enumerable: a copy with another dictionary must not copy these.
  return Object.defineProperties(column, { encoded: { value: strings }, sizes: { value: sizes } });
}

/** The dictionary of a column as bytes. */
export function encodedDictionary(column: CodedBatchColumn): EncodedStrings {
  return column.encoded ?? encodeStrings(column.dictionary);
}

/** Each value of the dictionary as UTF-8: value k is text[starts[k - 1], starts[k]). */
export function dictionaryTexts(column: CodedBatchColumn): {
  text: Uint8Array;
  starts: Uint32Array;
} {
  const strings = encodedDictionary(column);
  const ends = endsOf(strings);
  const starts = new Uint32Array(ends.length + 1);
  starts.set(ends, 1);
  return { text: strings.text, starts };
}

export function valueSizesOf(column: CodedBatchColumn): ValueSizes {
  const { name, codes, sizes } = column;
  return sizes ?? measureValues(name, codes, endsOf(encodedDictionary(column)));
}

/** Of values that end so in their text, by codes from 1. Throws where a code has no value. */
export function measureValues(name: string, codes: Uint32Array, ends: Uint32Array): ValueSizes {
  const bytesOf = new Uint32Array(ends.length + 1);
  for (let i = 0, start = 0; i < ends.length; i++) {
    bytesOf[i + 1] = ends[i]! - start;
    start = ends[i]!;
  }
  let count = 0;
  let bytes = 0;
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code !== 0) count++;
    // NaN from there on if there is none.
    bytes += bytesOf[code]!;
  }
  if (Number.isNaN(bytes)) throw new Error(`column ${name} has a code without value`);
  return { count, bytes };
}
