import { isAscii } from "node:buffer";
import { textOf, viewOf } from "./byteView.js";
import { type EncodedStrings, endsOf } from "./stringList.js";

/** Concatenated strings, the end offset of each, and the hash of each, see {@link hashBytes}. */
export interface HashedStrings {
  readonly count: number;
  readonly bytes: Uint8Array;
  readonly ends: Uint32Array;
  readonly hashes: Int32Array;
}

/** Far more than a batch or a leaf's dictionary contains. */
const textBytesMax = 2 ** 31 - 1;
/** Small, since thousands of columns may have one string each. */
const capacityFirst = 4;
/** The most bytes that a UTF-16 unit takes in UTF-8. */
const bytesPerUnitMax = 3;
const hashFactor = 0x5bd1e995;
const hashEnd = 0x85ebca6b;

/** Differs from run to run, so that it is hard to send strings that all fall into one slot. */
export const hashSeed = Math.floor(Math.random() * 0x7fffffff);

/** Continues the hash `before` over bytes[start, end), four at a time. */
export function hashBytes(bytes: DataView, start: number, end: number, before: number): number {
  let hash = before;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = hashWord(hash, bytes.getInt32(at, true));
  for (; at < end; at++) hash = hashByte(hash, bytes.getUint8(at));
  return endHash(hash);
}

export function hashWord(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, hashFactor);
  // The low bits of a product do not depend on the high bits of its factors.
  return product ^ (product >>> 15);
}

export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, hashFactor);
}

export function endHash(hash: number): number {
  // A second shift by the same amount would undo the first: strings that differ in high bits would share slots.
  const mixed = Math.imul(hash ^ (hash >>> 13), hashEnd);
  return mixed ^ (mixed >>> 16);
}

/**
 * Distinct strings as concatenated UTF-8, found by the hash of their bytes. Most strings of a body or of a leaf's
 * dictionary are never decoded. Codes count from 1 in the order of arrival.
 */
export class ByteDictionary {
  size = 0;
  #text = new Uint8Array(capacityFirst * 8);
  #textView = new DataView(this.#text.buffer);
  /** End offset of the string of each code; that of code 0 is the start of the first string. */
  #ends = new Uint32Array(capacityFirst + 1);
  #hashes = new Int32Array(capacityFirst + 1);
  /** Codes by hash, 0 = free; at most half of them are taken. */
  #slots = new Uint32Array(capacityFirst * 2);
  #missedHash = 0;

  /** Estimated memory; unused capacity of the texts does not count. */
  get bytes(): number {
    return this.#ends[this.size]! + this.size * 8 + this.#slots.byteLength;
  }

  /** The code of bytes[start, end), 0 when they are not there. */
  find(bytes: DataView, start: number, end: number, hash: number): number {
    return this.#slots[this.#slotOf(bytes, start, end, hash)]!;
  }

  /** The code of bytes[start, end), which are well-formed UTF-8; a new one when they are not there. */
  intern(bytes: DataView, start: number, end: number, hash: number): number {
    const slot = this.#slotOf(bytes, start, end, hash);
    const known = this.#slots[slot]!;
    if (known > 0) return known;
    let at = this.#ends[this.size]!;
    // Before the code is assigned: the allocation may fail.
    if (at + end - start > this.#text.length) this.#growText(at + end - start);
    const code = this.#add(slot, end - start, hash);
    const textView = this.#textView;
    let from = start;
    for (; from + 4 <= end; from += 4, at += 4)
      textView.setInt32(at, bytes.getInt32(from, true), true);
    for (; from < end; from++, at++) textView.setUint8(at, bytes.getUint8(from));
    return code;
  }

  /** As {@link intern} of many texts: codes[i + 1] becomes that of text i. */
  internAll({ count, bytes, ends, hashes }: HashedStrings, codes: Uint32Array): void {
    // Assumes that most are new and allocates for all of them at once.
    if (count > this.size) this.#makeRoom(count, bytes.length);
    const view = viewOf(bytes);
    let start = 0;
    // Consecutive new texts are copied in one call.
    let newFrom = 0;
    let textEnd = this.#ends[this.size]!;
    const copyNew = (until: number): void => {
      if (newFrom === until) return;
      if (textEnd + until - newFrom > this.#text.length) this.#growText(textEnd + until - newFrom);
      this.#text.set(bytes.subarray(newFrom, until), textEnd);
      textEnd += until - newFrom;
      newFrom = until;
    };
    for (let i = 0; i < count; i++) {
      const end = ends[i]!;
      const hash = hashes[i]!;
      let slot = this.#firstSlotOf(hash);
      let code = this.#slots[slot]!;
      if (code !== 0) {
        // It may be one of the texts that are not copied yet.
        copyNew(start);
        slot = this.#slotOf(view, start, end, hash);
        code = this.#slots[slot]!;
        if (code !== 0) newFrom = end;
      }
      codes[i + 1] = code === 0 ? this.#add(slot, end - start, hash) : code;
      start = end;
    }
    copyNew(start);
  }

  /** As {@link intern} of a list of strings: codes[i + 1] becomes that of string i. */
  internStrings(strings: EncodedStrings, codes: Uint32Array): void {
    const ends = endsOf(strings);
    this.internRange({ text: strings.text, ends }, 0, ends.length, codes);
  }

  /** The same for the strings [from, to). */
  internRange(
    { text, ends }: Required<Pick<EncodedStrings, "text" | "ends">>,
    from: number,
    to: number,
    codes: Uint32Array,
  ): void {
    const view = viewOf(text);
    const some = to === ends.length ? ends : ends.subarray(0, to);
    for (let i = this.#findWhile(view, some, from, codes); i < to; ) {
      const start = i === 0 ? 0 : ends[i - 1]!;
      codes[i + 1] = this.intern(view, start, ends[i]!, this.#missedHash);
      i = this.#findWhile(view, some, i + 1, codes);
    }
  }

  /** Sets codes[i + 1] to the code of text i, from `first` until a text is missing. Returns the missing one; its hash is {@link missedHash}. Changes nothing here. */
  #findWhile(view: DataView, textEnds: Uint32Array, first: number, codes: Uint32Array): number {
    const slots = this.#slots;
    const hashes = this.#hashes;
    const ends = this.#ends;
    const textView = this.#textView;
    const mask = slots.length - 1;
    let start = first === 0 ? 0 : textEnds[first - 1]! | 0;
    for (let i = first; i < textEnds.length; i++) {
      const end = textEnds[i]! | 0;
      const hash = hashBytes(view, start, end, hashSeed);
      let slot = hash & mask;
      let code = slots[slot]! | 0;
      while (code !== 0 && hashes[code] !== hash) {
        slot = (slot + 1) & mask;
        code = slots[slot]! | 0;
      }
      if (code === 0 || !isText(code, ends, textView, view, start, end)) {
        this.#missedHash = hash;
        return i;
      }
      codes[i + 1] = code;
      start = end;
    }
    return textEnds.length;
  }

  /** The code of a well-formed string, 0 when it is not there. */
  findText(text: string): number {
    const bytes = encodeText(text);
    const hash = hashBytes(bytes, 0, bytes.byteLength, hashSeed);
    return this.find(bytes, 0, bytes.byteLength, hash);
  }

  textOf(code: number): string {
    return textOf(this.#textView, this.#ends[code - 1]!, this.#ends[code]!);
  }

  /** Its UTF-8, valid until the next string is added. */
  bytesOf(code: number): Uint8Array {
    return this.#text.subarray(this.#ends[code - 1]!, this.#ends[code]!);
  }

  /** As {@link intern}, of a well-formed string. */
  internText(text: string): number {
    const bytes = encodeText(text);
    const hash = hashBytes(bytes, 0, bytes.byteLength, hashSeed);
    return this.intern(bytes, 0, bytes.byteLength, hash);
  }

  /** All strings in the order of their codes. */
  encodeAll(): EncodedStrings {
    return encodeTexts(
      this.#text.slice(0, this.#ends[this.size]),
      this.#ends.subarray(1),
      this.size,
    );
  }

  /** Strings of these codes. */
  encode(codes: readonly number[]): EncodedStrings {
    const ends = new Uint32Array(codes.length);
    let used = 0;
    for (let i = 0; i < codes.length; i++) {
      used += this.#ends[codes[i]!]! - this.#ends[codes[i]! - 1]!;
      ends[i] = used;
    }
    const text = new Uint8Array(used);
    for (let i = 0; i < codes.length; i++) {
      const bytes = this.bytesOf(codes[i]!);
      text.set(bytes, ends[i]! - bytes.length);
    }
    return encodeTexts(text, ends, codes.length);
  }

  /** A new code for a string of `length` bytes, which the caller copies. */
  #add(slot: number, length: number, hash: number): number {
    const code = ++this.size;
    if (code >= this.#ends.length) this.#growCodes(this.#ends.length * 2);
    this.#ends[code] = this.#ends[code - 1]! + length;
    this.#hashes[code] = hash;
    this.#slots[slot] = code;
    if (code * 2 > this.#slots.length) this.#growSlots(this.#slots.length * 2);
    return code;
  }

  /** The first slot in the probe sequence of a hash that is free or contains a code of this hash. */
  #firstSlotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = this.#slots[slot]! | 0;
      if (code === 0 || this.#hashes[code] === hash) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #slotOf(bytes: DataView, start: number, end: number, hash: number): number {
    const ends = this.#ends;
    const textView = this.#textView;
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const code = this.#slots[slot]! | 0;
      if (
        code === 0 ||
        (this.#hashes[code] === hash && isText(code, ends, textView, bytes, start, end))
      )
        return slot;
      slot = (slot + 1) & mask;
    }
  }

  /** Grows for this number of further strings. */
  #makeRoom(count: number, textBytes: number): void {
    const size = this.size + count;
    if (size >= this.#ends.length) this.#growCodes(size + 1);
    const slotCount = 2 ** Math.ceil(Math.log2(2 * size));
    if (slotCount > this.#slots.length) this.#growSlots(slotCount);
    const wanted = this.#ends[this.size]! + textBytes;
    if (wanted > this.#text.length) this.#growText(wanted);
  }

  #growCodes(length: number): void {
    const ends = new Uint32Array(length);
    ends.set(this.#ends);
    this.#ends = ends;
    const hashes = new Int32Array(length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }

  #growText(wanted: number): void {
    if (wanted > textBytesMax)
      throw new Error(`strings of ${wanted} bytes do not fit a dictionary`);
    const text = new Uint8Array(Math.min(textBytesMax, Math.max(this.#text.length * 2, wanted)));
    text.set(this.#text);
    this.#text = text;
    this.#textView = new DataView(text.buffer);
  }

  #growSlots(length: number): void {
    const slots = new Uint32Array(length);
    const mask = slots.length - 1;
    for (let code = 1; code <= this.size; code++) {
      let slot = this.#hashes[code]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    this.#slots = slots;
  }
}

/** Whether bytes[start, end) are the text of this code. Loose arguments: it is called for each value that is looked up. */
function isText(
  code: number,
  ends: Uint32Array,
  text: DataView,
  bytes: DataView,
  start: number,
  end: number,
): boolean {
  const first = ends[code - 1]! | 0;
  if ((ends[code]! | 0) - first !== end - start) return false;
  const shift = first - start;
  if (end - start < 4) {
    for (let at = start; at < end; at++)
      if (text.getUint8(at + shift) !== bytes.getUint8(at)) return false;
    return true;
  }
  // The last four bytes overlap with those before: a loop over the rest would be mispredicted.
  const last = end - 4;
  for (let at = start; at < last; at += 4)
    if (text.getInt32(at + shift, true) !== bytes.getInt32(at, true)) return false;
  return text.getInt32(last + shift, true) === bytes.getInt32(last, true);
}

const scratchBytes = 16_384;
const scratch = Buffer.from(new ArrayBuffer(scratchBytes));

/** Valid until the next call. */
function encodeText(text: string): DataView {
  if (text.length * bytesPerUnitMax <= scratchBytes)
    return new DataView(scratch.buffer, 0, scratch.write(text, 0, "utf8"));
  const bytes = new TextEncoder().encode(text);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function encodeTexts(text: Uint8Array, ends: Uint32Array, count: number): EncodedStrings {
  const lengths = new Uint32Array(count);
  // In ASCII, as most texts are, every byte is one unit.
  const unitsOf = isAscii(text) ? countBytes : countUnits;
  for (let i = 0, start = 0; i < count; i++) {
    lengths[i] = unitsOf(text, start, ends[i]!);
    start = ends[i]!;
  }
  return { text, lengths };
}

function countBytes(_: Uint8Array, start: number, end: number): number {
  return end - start;
}

/** UTF-16 units of well-formed UTF-8: one for each character, and one more for those of four bytes. */
function countUnits(text: Uint8Array, start: number, end: number): number {
  let units = 0;
  for (let i = start; i < end; i++) {
    const byte = text[i]!;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
