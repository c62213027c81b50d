import { hashBytes } from "@hadal/kernel-wasm";
import type { ColumnDictionary } from "../column/segmentColumn.js";
import type { QueryMemory } from "./queryMemory.js";

/** Elements of one dictionary's codes, as far as they were asked for: two words each. Dictionaries only grow. */
interface Known {
  words: Uint32Array;
  codeCount: number;
}

const known = {
  plain: new WeakMap<ColumnDictionary, Known>(),
  list: new WeakMap<ColumnDictionary, Known>(),
};

/** Tables of elements by code in the shared memory, each dictionary's once per query. */
export class ElementTables {
  readonly #addresses = {
    plain: new Map<ColumnDictionary, number>(),
    list: new Map<ColumnDictionary, number>(),
  };

  constructor(private readonly memory: QueryMemory) {}

  /** `asList`: each string stands for a list with it alone. */
  addressOf(dictionary: ColumnDictionary, asList: boolean): number {
    const addresses = this.#addresses[asList ? "list" : "plain"];
    let address = addresses.get(dictionary);
    if (address === undefined) {
      const { words, codeCount } = elementsOf(dictionary, asList);
      address = this.memory.allocate(codeCount * 8);
      const { buffer } = this.memory.leaf.memory;
      new Uint32Array(buffer, address, codeCount * 2).set(words.subarray(0, codeCount * 2));
      addresses.set(dictionary, address);
    }
    return address;
  }
}

function elementsOf(dictionary: ColumnDictionary, asList: boolean): Known {
  const cache = known[asList ? "list" : "plain"];
  const own = cache.get(dictionary) ?? { words: new Uint32Array(256), codeCount: 1 };
  cache.set(dictionary, own);
  const { codeCount } = dictionary;
  if (codeCount * 2 > own.words.length) {
    const words = new Uint32Array(codeCount * 4);
    words.set(own.words);
    own.words = words;
  }
  for (; own.codeCount < codeCount; own.codeCount++) {
    const value = dictionary.valueOf(own.codeCount);
    const [low, high] = elementOfString(asList ? JSON.stringify([value]) : value);
    own.words[own.codeCount * 2] = low;
    own.words[own.codeCount * 2 + 1] = high;
  }
  return own;
}

const encoder = new TextEncoder();
let utf8 = new Uint8Array(4_096);

/** The element of a string, as the kernel has it for the same text. */
export function elementOfString(value: string): readonly [low: number, high: number] {
  if (value.length * 3 > utf8.length) utf8 = new Uint8Array(value.length * 3);
  const { written } = encoder.encodeInto(value, utf8);
  return hashBytes(utf8, written);
}
