import { ByteDictionary } from "../base/byteDictionary.js";
import { encodeStrings } from "../base/stringList.js";
import { type StringKeys, stringKeysOf } from "./stringKeys.js";

/**
 * One dictionary for the string keys of several senders. Strings are compared as bytes: to make a string of each of a
 * million keys, and to look it up in a Map, takes seconds.
 */
export class KeyDictionary {
  readonly #texts = new ByteDictionary();

  get size(): number {
    return this.#texts.size;
  }

  /** By a sender's code + 1: the code of that text here, from 1 on; 0 for the missing string. */
  codesOf({ bytes, ...keys }: StringKeys): Uint32Array {
    const strings = bytes ?? encodeStrings(keys.dictionary);
    const codes = new Uint32Array(strings.lengths.length + 1);
    this.#texts.internStrings(strings, codes);
    return codes;
  }

  /** Keys with these codes of this dictionary: 0 is the missing string. */
  keys(codes: Int32Array): StringKeys {
    for (let i = 0; i < codes.length; i++) codes[i]! -= 1;
    return stringKeysOf(this.#texts.encodeAll(), codes);
  }
}
