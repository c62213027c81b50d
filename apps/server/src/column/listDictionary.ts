import { Dictionary } from "./dictionary.js";

/**
 * Distinct sets or vectors of one column on one leaf. Elements have codes of their own, so a list is as
 * long as it has elements, not as its text: stack traces share their frames. Code 0 means missing; the
 * empty list is a value like others. Grows only, as the dictionary of strings does.
 */
export class ListDictionary {
  /** The strings within the lists. */
  readonly elements = new Dictionary();
  /** Element codes of all lists end to end; list `code` lies in [#ends[code - 1], #ends[code]). */
  #codes = new Uint32Array(64);
  #ends = new Uint32Array(16);
  #codeCount = 1;
  /** Open addressing over a power of two of slots, at most half full; 0 = free. */
  #slots = new Uint32Array(32);

  get codeCount(): number {
    return this.#codeCount;
  }

  /** Number of elements over all distinct lists. */
  get elementCount(): number {
    return this.#ends[this.#codeCount - 1]!;
  }

  get bytes(): number {
    const arrays = this.#codes.byteLength + this.#ends.byteLength + this.#slots.byteLength;
    return this.elements.bytes + arrays;
  }

  /** Code of the list with this JSON text. */
  intern(text: string): number {
    return this.internList(JSON.parse(text) as readonly string[]);
  }

  /** Code of the list with this JSON text, or 0 when it is not there. */
  codeOf(text: string): number {
    const list = JSON.parse(text) as readonly string[];
    const start = this.#writeBehind(list.map((element) => this.elements.codeOf(element)));
    return this.#slots[this.#slotOf(start, list.length)]!;
  }

  internList(list: readonly string[]): number {
    const start = this.#writeBehind(list.map((element) => this.elements.intern(element)));
    if (this.#codeCount * 2 >= this.#slots.length) this.#growSlots();
    const slot = this.#slotOf(start, list.length);
    const known = this.#slots[slot]!;
    if (known !== 0) return known;
    const code = this.#codeCount++;
    this.#ends = roomFor(this.#ends, this.#codeCount);
    this.#ends[code] = start + list.length;
    this.#slots[slot] = code;
    return code;
  }

  /** Element codes of a list, in its order. Valid until the next list is added. */
  listOf(code: number): Uint32Array {
    if (code === 0 || code >= this.#codeCount) throw new Error(`no list has code ${code}`);
    return this.#codes.subarray(this.#ends[code - 1]!, this.#ends[code]!);
  }

  /** JSON text of a list. */
  valueOf(code: number): string {
    return JSON.stringify(
      Array.from(this.listOf(code), (element) => this.elements.valueOf(element)),
    );
  }

  /** Behind the last list, where the next one will be; returns where that is. */
  #writeBehind(codes: readonly number[]): number {
    const start = this.elementCount;
    this.#codes = roomFor(this.#codes, start + codes.length);
    this.#codes.set(codes, start);
    return start;
  }

  /** The slot of this list, or the free one where it belongs. */
  #slotOf(start: number, length: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(this.#codes, start, length) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]!;
      if (code === 0 || this.#isSame(code, start, length)) return slot;
    }
  }

  #isSame(code: number, start: number, length: number): boolean {
    const from = this.#ends[code - 1]!;
    if (this.#ends[code]! - from !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.#codes[from + i] !== this.#codes[start + i]) return false;
    }
    return true;
  }

  #growSlots(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let code = 1; code < this.#codeCount; code++) {
      const start = this.#ends[code - 1]!;
      let slot = hashOf(this.#codes, start, this.#ends[code]! - start) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = code;
    }
  }
}

function hashOf(codes: Uint32Array, start: number, length: number): number {
  let hash = length;
  for (let i = start; i < start + length; i++) {
    hash = Math.imul(hash ^ codes[i]!, 0x9e37_79b1);
    hash ^= hash >>> 15;
  }
  return hash;
}

function roomFor(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  // A quarter more: lists stay for as long as the table, so what is never used counts.
  const grown = new Uint32Array(Math.max(length, Math.ceil(array.length * 1.25)));
  grown.set(array);
  return grown;
}
