/**
 * Numbers group keys in order of arrival. A key is `width` words of 32 bits; open addressing with linear
 * probing over a power of two of slots, at most half of them used.
 */
export class GroupTable {
  readonly #width: number;
  #words: Int32Array;
  #slots: Int32Array;
  #count = 0;

  constructor(width: number, groupsExpected: number) {
    this.#width = width;
    const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, groupsExpected * 2)));
    // 0 = free, else group + 1.
    this.#slots = new Int32Array(slotCount);
    this.#words = new Int32Array(Math.max(16, groupsExpected) * width);
  }

  get count(): number {
    return this.#count;
  }

  /** Words of all groups, in the order of their numbers. */
  get words(): Int32Array {
    return this.#words.subarray(0, this.#count * this.#width);
  }

  /** The group of the key that starts at words[at]; a new one when it was not seen. */
  add(words: Int32Array, at: number): number {
    const slot = this.#slotOf(words, at);
    const found = this.#slots[slot]!;
    if (found !== 0) return found - 1;
    const group = this.#count++;
    this.#slots[slot] = group + 1;
    if (this.#count * this.#width > this.#words.length) this.#growWords();
    const own = group * this.#width;
    for (let i = 0; i < this.#width; i++) this.#words[own + i] = words[at + i]!;
    if (this.#count * 2 > this.#slots.length) this.#growSlots();
    return group;
  }

  /** The group of a key, or -1. */
  find(words: Int32Array, at: number): number {
    return this.#slots[this.#slotOf(words, at)]! - 1;
  }

  #slotOf(words: Int32Array, at: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(words, at, this.#width) & mask;
    for (;;) {
      const found = this.#slots[slot]!;
      if (found === 0 || this.#equals((found - 1) * this.#width, words, at)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #equals(own: number, words: Int32Array, at: number): boolean {
    for (let i = 0; i < this.#width; i++) if (this.#words[own + i] !== words[at + i]) return false;
    return true;
  }

  #growWords(): void {
    const words = new Int32Array(this.#words.length * 2 + this.#width);
    words.set(this.#words);
    this.#words = words;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    for (let group = 0; group < this.#count; group++) {
      this.#slots[this.#slotOf(this.#words, group * this.#width)] = group + 1;
    }
  }
}

/** Mixes word by word (after MurmurHash3), so that keys that differ in one word scatter. */
function hashOf(words: Int32Array, at: number, width: number): number {
  let hash = 0;
  for (let i = at; i < at + width; i++) {
    const mixed = Math.imul(words[i]!, 0xcc9e2d51);
    hash ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
