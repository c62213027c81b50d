import { ByteDictionary, hashBytes, hashSeed } from "../../base/bytes/byteDictionary.js";
import type { EncodedStrings } from "../../base/bytes/stringList.js";

/**
 * Numbers of strings that have no code, from 0 on, in the order a scan meets them. They are found
 * by their bytes: to make a string of each row's text takes longer than all else.
 */
export class VirtualCodes {
  readonly #texts = new ByteDictionary();

  get size(): number {
    return this.#texts.size;
  }

  /** The number of a text; a new one when it was not met before. */
  add(text: string): number {
    return this.#texts.internText(text) - 1;
  }

  /** The same of bytes[start, end), which are UTF-8. */
  addBytes(bytes: DataView, start: number, end: number): number {
    return this.#texts.intern(bytes, start, end, hashBytes(bytes, start, end, hashSeed)) - 1;
  }

  /** All of them, in the order of their numbers. */
  encode(): EncodedStrings {
    return this.#texts.encodeAll();
  }
}

export const noStrings: EncodedStrings = { text: new Uint8Array(0), lengths: new Uint32Array(0) };
