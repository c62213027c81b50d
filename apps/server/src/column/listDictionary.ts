import { decodeStrings, type EncodedStrings, encodeStrings } from "../base/bytes/stringList.js";
import { Dictionary } from "./dictionary.js";

/** The lists of a dictionary as its memory has them. */
export interface ListImage {
  readonly codes: ElementCodes;
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly isFrozen: boolean;
}

/**
 * Distinct sets or vectors of one column on one leaf. Elements have codes, so a list takes its
 * elements and not its text: stack traces share frames. Code 0 means missing; the empty list is a
 * value. It only grows until it is frozen: where lists do not repeat, each segment has its own
 * dictionary, which is its rows' lists end to end.
 */
export class ListDictionary {
  /** Element codes of all lists end to end; list `code` is [#ends[code - 1], #ends[code]). */
  #codes: ElementCodes = new Uint32Array(64);
  #ends = new Uint32Array(16);
  #codeCount = 1;
  /**
   * Open addressing over a power of two of slots, at most half full; 0 = free. Null: frozen, see
   * {@link #lookUp}.
   */
  #slots: Uint32Array<ArrayBuffer> | null = new Uint32Array(32);
  /**
   * Those of a frozen dictionary, made when a code is looked for, for as long as there is memory.
   */
  #remade: WeakRef<Uint32Array<ArrayBuffer>> | null = null;

  /** `elements`: the strings within the lists, which dictionaries may share. */
  constructor(readonly elements = new Dictionary()) {}

  /** The dictionary of these lists, whose elements are those of {@link image}. */
  static ofImage(elements: Dictionary, { codes, ends, isFrozen }: ListImage): ListDictionary {
    const lists = new ListDictionary(elements);
    lists.#codes = codes;
    lists.#ends = ends;
    lists.#codeCount = ends.length;
    lists.#slots = isFrozen
      ? null
      : lists.#slotsOf(2 ** Math.ceil(Math.log2(Math.max(16, ends.length) * 2)));
    return lists;
  }

  /** Valid until the next list is added. */
  get image(): ListImage {
    return {
      codes: this.#codes.subarray(0, this.elementCount),
      ends: this.#ends.subarray(0, this.#codeCount),
      isFrozen: this.isFrozen,
    };
  }

  get codeCount(): number {
    return this.#codeCount;
  }

  /** Number of elements over all distinct lists. */
  get elementCount(): number {
    return this.#ends[this.#codeCount - 1]!;
  }

  get bytes(): number {
    return this.elements.bytes + this.listBytes;
  }

  /** Without the elements, which others may share. */
  get listBytes(): number {
    return this.#codes.byteLength + this.#ends.byteLength + (this.#slots?.byteLength ?? 0);
  }

  get isFrozen(): boolean {
    return this.#slots === null;
  }

  /** Takes no more lists, and keeps the present ones in half the memory or less. */
  freeze(): void {
    if (this.isFrozen) return;
    const codes = this.#codes.subarray(0, this.elementCount);
    const isNarrow = this.elements.codeCount <= 0x1_0000;
    this.#codes = isNarrow ? Uint16Array.from(codes) : Uint32Array.from(codes);
    this.#ends = this.#ends.slice(0, this.#codeCount);
    this.#slots = null;
  }

  /** Code of the list with this JSON text. */
  intern(text: string): number {
    return this.internList(JSON.parse(text) as readonly string[]);
  }

  /** Code of the list with this JSON text, or 0 when it is not there. */
  codeOf(text: string): number {
    const list = JSON.parse(text) as readonly string[];
    const slots = this.#lookUp();
    return slots[
      this.#slotOf(
        slots,
        list.map((element) => this.elements.codeOf(element)),
      )
    ]!;
  }

  /** Codes of lists by their JSON texts: that of list i at i + 1. */
  internAll({ text, lengths }: EncodedStrings): Uint32Array {
    const lists = decodeStrings(text, lengths);
    const codes = new Uint32Array(lists.length + 1);
    for (let i = 0; i < lists.length; i++) codes[i + 1] = this.intern(lists[i]!);
    return codes;
  }

  internList(list: readonly string[]): number {
    if (this.#slots === null) throw new Error("a frozen dictionary takes no lists");
    if (this.#codeCount * 2 >= this.#slots.length) {
      this.#slots = this.#slotsOf(this.#slots.length * 2);
    }
    const codes = list.map((element) => this.elements.intern(element));
    const slot = this.#slotOf(this.#slots, codes);
    const known = this.#slots[slot]!;
    if (known !== 0) return known;
    const start = this.elementCount;
    const code = this.#codeCount++;
    this.#codes = roomFor(this.#codes, start + codes.length);
    this.#codes.set(codes, start);
    this.#ends = roomFor(this.#ends, this.#codeCount);
    this.#ends[code] = start + codes.length;
    this.#slots[slot] = code;
    return code;
  }

  /** Element codes of a list, in its order. Valid until the next list is added. */
  listOf(code: number): ElementCodes {
    if (code === 0 || code >= this.#codeCount) throw new Error(`no list has code ${code}`);
    return this.#codes.subarray(this.#ends[code - 1]!, this.#ends[code]!);
  }

  /** JSON text of a list. */
  valueOf(code: number): string {
    return JSON.stringify(
      Array.from(this.listOf(code), (element) => this.elements.valueOf(element)),
    );
  }

  /** JSON texts of lists. */
  encode(codes: readonly number[]): EncodedStrings {
    return encodeStrings(codes.map((code) => this.valueOf(code)));
  }

  /** The slots, made again where they were released. */
  #lookUp(): Uint32Array<ArrayBuffer> {
    if (this.#slots !== null) return this.#slots;
    const remade = this.#remade?.deref();
    if (remade !== undefined) return remade;
    const slots = this.#slotsOf(2 ** Math.ceil(Math.log2(Math.max(16, this.#codeCount) * 2)));
    this.#remade = new WeakRef(slots);
    return slots;
  }

  /** The slot of this list, or the free one where it belongs. */
  #slotOf(slots: Uint32Array, codes: readonly number[]): number {
    const mask = slots.length - 1;
    let slot = hashOf(codes, 0, codes.length) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const code = slots[slot]!;
      if (code === 0 || this.#isList(code, codes)) return slot;
    }
  }

  #isList(code: number, codes: readonly number[]): boolean {
    const from = this.#ends[code - 1]!;
    if (this.#ends[code]! - from !== codes.length) return false;
    for (let i = 0; i < codes.length; i++) if (this.#codes[from + i] !== codes[i]) return false;
    return true;
  }

  /** A table of `length` slots with all lists in it. */
  #slotsOf(length: number): Uint32Array<ArrayBuffer> {
    const slots = new Uint32Array(length);
    const mask = length - 1;
    for (let code = 1; code < this.#codeCount; code++) {
      const start = this.#ends[code - 1]!;
      let slot = hashOf(this.#codes, start, this.#ends[code]! - start) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code;
    }
    return slots;
  }
}

/** Codes of elements, as wide as there are elements when the dictionary is frozen. */
export type ElementCodes = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

function hashOf(codes: ArrayLike<number>, start: number, length: number): number {
  let hash = length;
  for (let i = start; i < start + length; i++) {
    hash = Math.imul(hash ^ codes[i]!, 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function roomFor(array: ElementCodes, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length && array instanceof Uint32Array) return array;
  // Grows by a quarter only: lists stay as long as the table, so unused room costs memory.
  const grown = new Uint32Array(Math.max(length, Math.ceil(array.length * 1.25)));
  grown.set(array);
  return grown;
}
