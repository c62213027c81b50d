import type { Dictionary } from "../column/dictionary.js";
import type { ListDictionary } from "../column/listDictionary.js";
import type { QueryMemory } from "./queryMemory.js";

export interface StringTable {
  readonly starts: number;
  readonly bytes: number;
}

/** Dictionaries as scan threads can read them, each written into the query's memory once. */
export class StringTables {
  readonly #strings = new Map<Dictionary, StringTable>();
  readonly #lengths = new Map<ListDictionary, number>();

  constructor(private readonly memory: QueryMemory) {}

  /** UTF-8 end to end; the text of code c lies in [starts[c], starts[c + 1]). */
  stringsOf(dictionary: Dictionary): StringTable {
    let table = this.#strings.get(dictionary);
    if (table === undefined) {
      table = this.#writeStrings(dictionary);
      this.#strings.set(dictionary, table);
    }
    return table;
  }

  /** Number of elements by code of a list, u32. */
  lengthsOf(dictionary: ListDictionary): number {
    let address = this.#lengths.get(dictionary);
    if (address === undefined) {
      const { codeCount } = dictionary;
      address = this.memory.allocate(codeCount * 4);
      const lengths = new Uint32Array(this.memory.leaf.memory.buffer, address, codeCount);
      lengths[0] = 0;
      for (let code = 1; code < codeCount; code++) lengths[code] = dictionary.listOf(code).length;
      this.#lengths.set(dictionary, address);
    }
    return address;
  }

  #writeStrings(dictionary: Dictionary): StringTable {
    const { codeCount } = dictionary;
    const texts: Buffer[] = [];
    const starts = new Uint32Array(codeCount + 1);
    for (let code = 1; code < codeCount; code++) {
      const text = Buffer.from(dictionary.valueOf(code), "utf8");
      texts.push(text);
      starts[code + 1] = starts[code]! + text.length;
    }
    const bytes = this.memory.allocate(Math.max(1, starts[codeCount]!));
    this.memory.leaf.bytes.set(Buffer.concat(texts), bytes);
    const address = this.memory.allocate(starts.byteLength);
    new Uint32Array(this.memory.leaf.memory.buffer, address, starts.length).set(starts);
    return { starts: address, bytes };
  }
}
