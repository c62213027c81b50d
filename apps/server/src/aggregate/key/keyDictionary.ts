import { ByteDictionary } from "../../base/bytes/byteDictionary.js";
import { encodeStrings, endsOf } from "../../base/bytes/stringList.js";
import type { Steps } from "../../base/schedule/steps.js";
import { type StringKeys, stringKeysOf } from "../partial/stringKeys.js";

/** About a millisecond's. */
export const keysPerStep = 8_192;

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
  *codesOf(keys: StringKeys): Steps<Uint32Array> {
    const strings = keys.bytes ?? encodeStrings(keys.dictionary);
    const ends = endsOf(strings);
    const codes = new Uint32Array(ends.length + 1);
    for (let from = 0; from < ends.length; from += keysPerStep) {
      if (from > 0) yield;
      const to = Math.min(ends.length, from + keysPerStep);
      this.#texts.internRange({ text: strings.text, ends }, from, to, codes);
    }
    return codes;
  }

  /** Keys with these codes of this dictionary: 0 is the missing string. */
  keys(codes: Int32Array): StringKeys {
    for (let i = 0; i < codes.length; i++) codes[i]! -= 1;
    return stringKeysOf(this.#texts.encodeAll(), codes);
  }
}
