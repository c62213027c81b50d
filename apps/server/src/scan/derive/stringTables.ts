import { LaterWork, StepMeter, type Steps } from "../../base/schedule/steps.js";
import type { Dictionary } from "../../column/dictionary.js";
import type { ListDictionary } from "../../column/listDictionary.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { StringTable } from "../task/textSource.js";

/** Its addresses are filled in once all texts are measured. */
type OpenTable = { -readonly [Key in keyof StringTable]: StringTable[Key] };

/** Dictionaries as scan threads can read them, each written into the query's memory once. */
export class StringTables {
  readonly #strings = new Map<Dictionary, StringTable>();
  readonly #lengths = new Map<ListDictionary, number>();
  readonly #unfilled = new LaterWork();

  readonly #memory: QueryMemory;

  constructor(memory: QueryMemory) {
    this.#memory = memory;
  }

  /** {@link fill} writes its places. */
  stringsOf(dictionary: Dictionary): StringTable {
    let table = this.#strings.get(dictionary);
    if (table === undefined) {
      const open: OpenTable = { starts: 0, bytes: 0 };
      this.#unfilled.note(this.#writeStrings(dictionary, dictionary.codeCount, open));
      table = open;
      this.#strings.set(dictionary, table);
    }
    return table;
  }

  /** Number of elements by code of a list, u32; {@link fill} writes them. */
  lengthsOf(dictionary: ListDictionary): number {
    let address = this.#lengths.get(dictionary);
    if (address === undefined) {
      const { codeCount } = dictionary;
      address = this.#memory.allocate(codeCount * 4);
      const lengths = new Uint32Array(this.#memory.leaf.memory.buffer, address, codeCount);
      this.#unfilled.note(writeLengths(dictionary, lengths));
      this.#lengths.set(dictionary, address);
    }
    return address;
  }

  /** Writes the wanted tables. */
  fill(): Steps<void> {
    return this.#unfilled.finish();
  }

  *#writeStrings(dictionary: Dictionary, codeCount: number, table: OpenTable): Steps<void> {
    const { buffer } = this.#memory.leaf.memory;
    table.starts = this.#memory.allocate((codeCount + 1) * 4);
    const starts = new Uint32Array(buffer, table.starts, codeCount + 1).fill(0, 0, 2);
    const measuring = new StepMeter();
    for (let code = 1; code < codeCount; code++) {
      const { length } = dictionary.bytesOf(code);
      starts[code + 1] = starts[code]! + length;
      if (measuring.isFull(length)) yield;
    }
    const byteCount = starts[codeCount]!;
    table.bytes = this.#memory.allocate(Math.max(1, byteCount));
    const bytes = new Uint8Array(buffer, table.bytes, byteCount);
    const writing = new StepMeter();
    for (let code = 1; code < codeCount; code++) {
      const text = dictionary.bytesOf(code);
      bytes.set(text, starts[code]!);
      if (writing.isFull(text.length)) yield;
    }
  }
}

function* writeLengths(dictionary: ListDictionary, lengths: Uint32Array): Steps<void> {
  lengths[0] = 0;
  const meter = new StepMeter();
  for (let code = 1; code < lengths.length; code++) {
    lengths[code] = dictionary.listOf(code).length;
    if (meter.isFull(0)) yield;
  }
}
