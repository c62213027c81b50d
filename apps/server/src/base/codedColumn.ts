import type { CodedBatchColumn } from "./rowBatch.js";
import { decodeStrings, type EncodedStrings, encodeStrings, stringEnds } from "./stringList.js";

/** A coded column whose dictionary stays bytes until somebody asks for its strings. */
export function codedColumn(
  name: string,
  type: CodedBatchColumn["type"],
  strings: EncodedStrings,
  codes: Uint32Array,
  set: Pick<CodedBatchColumn, "set"> = {},
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
    ...set,
  };
  // Not enumerable: a copy with another dictionary must not take these bytes along.
  return Object.defineProperty(column, "encoded", { value: strings });
}

/** The dictionary of a column as bytes. */
export function encodedDictionary(column: CodedBatchColumn): EncodedStrings {
  return column.encoded ?? encodeStrings(column.dictionary);
}

/** Each value of the dictionary as UTF-8: value k lies at text[starts[k - 1], starts[k]). */
export function dictionaryTexts(column: CodedBatchColumn): {
  text: Uint8Array;
  starts: Uint32Array;
} {
  const { text, lengths } = encodedDictionary(column);
  const starts = new Uint32Array(lengths.length + 1);
  starts.set(stringEnds(text, lengths), 1);
  return { text, starts };
}
