import { decodeStrings, type EncodedStrings, stringEnds } from "../../base/bytes/stringList.js";
import type { DictionaryBytes, KeyColumn } from "./partialResult.js";

export type StringKeys = Extract<KeyColumn, { readonly kind: "string" }>;

/**
 * Keys whose dictionary is decoded only when all of its strings are read: of a hundred thousand groups only a hundred
 * are shown. Throws when text and lengths do not fit together.
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
  // Not enumerable: a copy with another dictionary must not copy these bytes.
  return Object.defineProperty(keys, "bytes", { value: bytes });
}

/** With more unused entries than this a dictionary is reduced before it is sent. */
const unusedMax = 1_024;

/** Keys with these codes. If many entries of the dictionary are unused, they are removed. */
export function takeStrings(keys: StringKeys, codes: Int32Array): StringKeys {
  if (dictionarySize(keys) > 2 * codes.length + unusedMax) return withUsedEntries(keys, codes);
  if (keys.bytes !== undefined) return createKeys(keys.bytes, codes);
  return { kind: "string", dictionary: keys.dictionary, codes };
}

function withUsedEntries(keys: StringKeys, codes: Int32Array): StringKeys {
  const entries: number[] = [];
  /** By code + 1: the local code + 1; 0: none yet. */
  const localOf = new Uint32Array(dictionarySize(keys) + 1);
  const locals = new Int32Array(codes.length);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!;
    if (code >= 0 && localOf[code + 1] === 0) localOf[code + 1] = entries.push(code);
    locals[i] = localOf[code + 1]! - 1;
  }
  const { bytes } = keys;
  if (bytes === undefined) {
    return { kind: "string", dictionary: entries.map((e) => keys.dictionary[e]!), codes: locals };
  }
  return stringKeysOf(takeEntries(bytes, entries), locals);
}

function takeEntries(bytes: DictionaryBytes, entries: readonly number[]): EncodedStrings {
  const startOf = (entry: number): number => (entry === 0 ? 0 : bytes.ends[entry - 1]!);
  const size = entries.reduce((sum, entry) => sum + bytes.ends[entry]! - startOf(entry), 0);
  const text = new Uint8Array(size);
  let at = 0;
  for (const entry of entries) {
    text.set(bytes.text.subarray(startOf(entry), bytes.ends[entry]), at);
    at += bytes.ends[entry]! - startOf(entry);
  }
  return { text, lengths: Uint32Array.from(entries, (entry) => bytes.lengths[entry]!) };
}

/** Decodes a single entry of the dictionary. */
function textOfCode(keys: StringKeys, code: number): string {
  const { bytes } = keys;
  if (bytes === undefined) return keys.dictionary[code]!;
  const { text, ends } = bytes;
  const start = code === 0 ? 0 : ends[code - 1]!;
  return Buffer.from(text.buffer, text.byteOffset + start, ends[code]! - start).toString("utf8");
}

/** The key of a group; null if missing. */
export function textOfGroup(keys: StringKeys, group: number): string | null {
  const code = keys.codes[group]!;
  return code < 0 ? null : textOfCode(keys, code);
}

export function dictionarySize(keys: StringKeys): number {
  return keys.bytes?.ends.length ?? keys.dictionary.length;
}
