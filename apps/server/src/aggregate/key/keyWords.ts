import { atOnce, type Steps } from "../../base/schedule/steps.js";
import type { ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn } from "../partial/partialResult.js";
import { KeyDictionary } from "./keyDictionary.js";

/** Words that a key column takes: an index, a code, or an integer's two halves and whether it is there. */
const wordsOfKind = { bucket: 1, string: 1, int: 3 } as const;

/** Turns group keys of any sender into words that compare alike, and back. Strings are coded by one dictionary a column. */
export class KeyWords {
  /** Words of a whole key. */
  readonly width: number;
  readonly #kinds: readonly KeyColumn["kind"][];
  readonly #dictionaries: readonly KeyDictionary[];

  constructor(groupBy: readonly ResolvedGroup[]) {
    this.#kinds = groupBy.map(kindOfKeys);
    this.#dictionaries = groupBy.map(() => new KeyDictionary());
    this.width = this.#kinds.reduce((sum, kind) => sum + wordsOfKind[kind], 0);
  }

  /** Words of all keys, key after key. */
  encode(keys: readonly KeyColumn[], groupCount: number): Int32Array {
    return atOnce(this.encodeSteps(keys, groupCount));
  }

  *encodeSteps(keys: readonly KeyColumn[], groupCount: number): Steps<Int32Array> {
    const words = new Int32Array(groupCount * this.width);
    let at = 0;
    for (const [index, column] of keys.entries()) {
      const kind = this.#kinds[index];
      if (column.kind !== kind) throw new Error(`found ${column.kind} keys, expected ${kind}`);
      yield* this.#encodeColumn(column, index, words, at);
      at += wordsOfKind[column.kind];
    }
    return words;
  }

  decode(words: Int32Array): KeyColumn[] {
    let at = 0;
    return this.#kinds.map((kind, index) => {
      const column = this.#decodeColumn(kind, index, words, at);
      at += wordsOfKind[kind];
      return column;
    });
  }

  *#encodeColumn(column: KeyColumn, index: number, words: Int32Array, start: number): Steps<void> {
    const { width } = this;
    switch (column.kind) {
      case "bucket":
        for (let i = 0, at = start; at < words.length; i++, at += width) {
          words[at] = column.indexes[i]!;
        }
        return;
      case "string": {
        const codes = yield* this.#dictionaries[index]!.codesOf(column);
        for (let i = 0, at = start; at < words.length; i++, at += width) {
          words[at] = codes[column.codes[i]! + 1]!;
        }
        return;
      }
      case "int": {
        const { buffer, byteOffset, length } = column.values;
        const halves = new Int32Array(buffer, byteOffset, length * 2);
        for (let i = 0, at = start; at < words.length; i++, at += width) {
          if (column.present[i] === 0) continue;
          words[at] = halves[2 * i]!;
          words[at + 1] = halves[2 * i + 1]!;
          words[at + 2] = 1;
        }
      }
    }
  }

  #decodeColumn(
    kind: KeyColumn["kind"],
    index: number,
    words: Int32Array,
    start: number,
  ): KeyColumn {
    const { width } = this;
    const groupCount = words.length / width;
    if (kind !== "int") {
      const codes = new Int32Array(groupCount);
      for (let i = 0, at = start; i < groupCount; i++, at += width) codes[i] = words[at]!;
      return kind === "bucket" ? { kind, indexes: codes } : this.#dictionaries[index]!.keys(codes);
    }
    const values = new BigInt64Array(groupCount);
    const halves = new Int32Array(values.buffer);
    const present = new Uint8Array(groupCount);
    for (let i = 0, at = start; i < groupCount; i++, at += width) {
      halves[2 * i] = words[at]!;
      halves[2 * i + 1] = words[at + 1]!;
      present[i] = words[at + 2]!;
    }
    return { kind, values, present };
  }
}

export function kindOfKeys(group: ResolvedGroup): KeyColumn["kind"] {
  switch (group.kind) {
    case "time":
      return "bucket";
    case "bucket":
      return "int";
    case "element":
      return "string";
    case "column":
      return group.type === "int" ? "int" : "string";
  }
}
