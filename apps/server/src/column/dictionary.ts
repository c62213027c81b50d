import { ByteDictionary } from "../base/bytes/byteDictionary.js";
import type { EncodedStrings } from "../base/bytes/stringList.js";
import { isWellFormed } from "../base/text/wellFormed.js";

/** Columns with more values are stored otherwise: a Map ends the process at 16,777,216 entries. */
const dictionaryCodesMax = 4_194_304;
/** … and with larger ones: they are in the process's memory, beside the leaf's own. */
const dictionaryBytesMax = 268_435_456;

/** Whether it is to take no more. */
export const isFull = (
  { codeCount, storedBytes }: Pick<Dictionary, "codeCount" | "storedBytes">,
  codesMax = dictionaryCodesMax,
): boolean => codeCount > codesMax || storedBytes > dictionaryBytesMax;

/** Of a string that was made: its units are counted beside it. */
const stringBytes = 24;

/**
 * Distinct values of one column on one leaf; code 0 means missing, so that a group or a test
 * of presence needs no bitmap. Grows only: codes stay valid for as long as any segment uses them.
 * Values are UTF-8, and strings from the first time that they are read.
 */
export class Dictionary {
  readonly #texts = new ByteDictionary();
  readonly #strings: (string | undefined)[] = [undefined];
  #stringsBytes = 0;

  /** Number of codes, the one for missing included. */
  get codeCount(): number {
    return this.#strings.length;
  }

  /** Estimated bytes of the values, whichever of their strings exist. */
  get storedBytes(): number {
    return this.#texts.bytes + this.#strings.length * 8;
  }

  /** The same with the strings that were made of them. */
  get bytes(): number {
    return this.storedBytes + this.#stringsBytes;
  }

  /** Code of the value, or 0 when it is not there. */
  codeOf(value: string): number {
    // Text that is not well-formed would be changed by the encoder.
    return isWellFormed(value) ? this.#texts.findText(value) : 0;
  }

  /** Code of a value, in which malformed parts become U+FFFD. */
  intern(value: string): number {
    const code = this.#texts.internText(value);
    this.#grow();
    return code;
  }

  /** Codes of well-formed values: that of value i at i + 1. */
  internAll(values: EncodedStrings): Uint32Array {
    const codes = new Uint32Array(values.lengths.length + 1);
    this.#texts.internStrings(values, codes);
    this.#grow();
    return codes;
  }

  valueOf(code: number): string {
    const known = this.#strings[code];
    if (known !== undefined) return known;
    this.#check(code);
    const value = this.#texts.textOf(code);
    this.#strings[code] = value;
    this.#stringsBytes += value.length + stringBytes;
    return value;
  }

  /** UTF-8 of a value, good until more values come. */
  bytesOf(code: number): Uint8Array {
    this.#check(code);
    return this.#texts.bytesOf(code);
  }

  /** Values of these codes. */
  encode(codes: readonly number[]): EncodedStrings {
    for (let i = 0; i < codes.length; i++) this.#check(codes[i]!);
    return this.#texts.encode(codes);
  }

  /** All values in the order of their codes, from 1 on. */
  encodeAll(): EncodedStrings {
    return this.#texts.encodeAll();
  }

  #grow(): void {
    while (this.#strings.length <= this.#texts.size) this.#strings.push(undefined);
  }

  #check(code: number): void {
    if (!(code >= 1 && code < this.codeCount && Number.isInteger(code)))
      throw new Error(`no value has code ${code}`);
  }
}
