import { hashBytes } from "@hadal/kernel-wasm";
import { LaterWork, StepMeter, type Steps } from "../../../base/schedule/steps.js";
import type { ColumnDictionary } from "../../../column/segmentColumn.js";
import type { QueryMemory } from "../../memory/queryMemory.js";

/** "plain": a string is its own element; "list": it is a list with one element. */
export type ElementForm = "plain" | "list";

/** Elements of one dictionary's codes so far: two words each. Dictionaries only grow. */
interface Known {
  words: Uint32Array;
  codeCount: number;
}

const known = {
  plain: new WeakMap<ColumnDictionary, Known>(),
  list: new WeakMap<ColumnDictionary, Known>(),
};

/** Tables of elements by code in shared memory, one for each dictionary of a query. */
export class ElementTables {
  readonly #addresses = {
    plain: new Map<ColumnDictionary, number>(),
    list: new Map<ColumnDictionary, number>(),
  };
  readonly #unfilled = new LaterWork();

  readonly #memory: QueryMemory;

  constructor(memory: QueryMemory) {
    this.#memory = memory;
  }

  /** Address of the table, which {@link fill} writes. */
  addressOf(dictionary: ColumnDictionary, form: ElementForm): number {
    const addresses = this.#addresses[form];
    let address = addresses.get(dictionary);
    if (address === undefined) {
      const { codeCount } = dictionary;
      address = this.#memory.allocate(codeCount * 8);
      this.#unfilled.note(this.#write(dictionary, form, codeCount, address));
      addresses.set(dictionary, address);
    }
    return address;
  }

  /** Writes the tables whose addresses were taken. */
  fill(): Steps<void> {
    return this.#unfilled.finish();
  }

  *#write(
    dictionary: ColumnDictionary,
    form: ElementForm,
    codeCount: number,
    address: number,
  ): Steps<void> {
    const { words } = yield* elementsOf(dictionary, form, codeCount);
    const { buffer } = this.#memory.leaf.memory;
    new Uint32Array(buffer, address, codeCount * 2).set(words.subarray(0, codeCount * 2));
  }
}

/** Several queries may fill a cache at once: each continues where another one stopped. */
function* elementsOf(
  dictionary: ColumnDictionary,
  form: ElementForm,
  codeCount: number,
): Steps<Known> {
  const cache = known[form];
  const own = cache.get(dictionary) ?? { words: new Uint32Array(256), codeCount: 1 };
  cache.set(dictionary, own);
  if (codeCount * 2 > own.words.length) {
    const words = new Uint32Array(codeCount * 4);
    words.set(own.words);
    own.words = words;
  }
  const meter = new StepMeter();
  while (own.codeCount < codeCount) {
    const value = dictionary.valueOf(own.codeCount);
    const [low, high] = elementOfString(form === "list" ? JSON.stringify([value]) : value);
    own.words[own.codeCount * 2] = low;
    own.words[own.codeCount * 2 + 1] = high;
    own.codeCount++;
    if (meter.isFull(value.length)) yield;
  }
  return own;
}

const encoder = new TextEncoder();
let utf8 = new Uint8Array(4_096);

/** The element of a string; the kernel computes the same for its text. */
export function elementOfString(value: string): readonly [low: number, high: number] {
  if (value.length * 3 > utf8.length) utf8 = new Uint8Array(value.length * 3);
  const { written } = encoder.encodeInto(value, utf8);
  return hashBytes(utf8, written);
}
