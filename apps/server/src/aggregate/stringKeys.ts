import { decodeStrings, type EncodedStrings, stringEnds } from "../base/stringList.js";
import type { DictionaryBytes, KeyColumn } from "./partialResult.js";

export type StringKeys = Extract<KeyColumn, { readonly kind: "string" }>;

/**
 * Keys whose dictionary stays bytes until somebody asks for all of its strings: of a hundred thousand groups a hundred are
 * shown. Throws when text and lengths do not fit together.
 */
export function stringKeysOf(strings: EncodedStrings, codes: Int32Array): StringKeys {
  let dictionary: readonly string[] | null = null;
  const decode = (): readonly string[] => {
    dictionary ??= decodeStrings(strings.text, strings.lengths);
    return dictionary;
  };
  const ends = stringEnds(strings.text, strings.lengths);
  return createKeys({ ...strings, ends, decode }, codes);
}

function createKeys(bytes: DictionaryBytes, codes: Int32Array): StringKeys {
  const keys: StringKeys = {
    kind: "string",
    get dictionary(): readonly string[] {
      return bytes.decode();
    },
    codes,
  };
  // Not enumerable: a copy with another dictionary must not take these bytes along.
  return Object.defineProperty(keys, "bytes", { value: bytes });
}

/** The same dictionary with other codes. */
export function withCodes(keys: StringKeys, codes: Int32Array): StringKeys {
  if (keys.bytes !== undefined) return createKeys(keys.bytes, codes);
  return { kind: "string", dictionary: keys.dictionary, codes };
}

/** An entry of the dictionary, alone. */
function textOfCode(keys: StringKeys, code: number): string {
  const { bytes } = keys;
  if (bytes === undefined) return keys.dictionary[code]!;
  const { text, ends } = bytes;
  const start = code === 0 ? 0 : ends[code - 1]!;
  return Buffer.from(text.buffer, text.byteOffset + start, ends[code]! - start).toString("utf8");
}

/** The key of a group; null where it is missing. */
export function textOfGroup(keys: StringKeys, group: number): string | null {
  const code = keys.codes[group]!;
  return code < 0 ? null : textOfCode(keys, code);
}

export function dictionarySize(keys: StringKeys): number {
  return keys.bytes?.ends.length ?? keys.dictionary.length;
}
