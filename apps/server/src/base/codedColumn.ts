import type { CodedBatchColumn } from "./rowBatch.js";
import { decodeStrings, type EncodedStrings, encodeStrings } from "./stringList.js";

/** A coded column whose dictionary stays bytes until somebody asks for its strings. */
export function codedColumn(
  name: string,
  type: CodedBatchColumn["type"],
  strings: EncodedStrings,
  codes: Uint32Array,
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
  };
  // Not enumerable: a copy with another dictionary must not take these bytes along.
  return Object.defineProperty(column, "encoded", { value: strings });
}

/** The dictionary of a column as bytes. */
export function encodedDictionary(column: CodedBatchColumn): EncodedStrings {
  return column.encoded ?? encodeStrings(column.dictionary);
}
