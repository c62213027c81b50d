import type { Steps } from "../../base/schedule/steps.js";
import type { KeyColumn } from "../partial/partialResult.js";
import { keysPerStep } from "./keyDictionary.js";
import type { KeyedGroups, NumberedGroups } from "./numberedGroups.js";
import { takeKeys } from "./takeKeys.js";

type IntKeys = Extract<KeyColumn, { readonly kind: "int" }>;

/**
 * Numbers groups by one column of integers in order of arrival: open addressing over the keys' two halves, which is half
 * the work of keys of any width. Null: they are grouped by something else.
 */
export function* numberInts(senders: readonly KeyedGroups[]): Steps<NumberedGroups | null> {
  const columns: IntKeys[] = [];
  for (const { keys } of senders) {
    const [column, ...others] = keys;
    if (column?.kind !== "int" || others.length > 0) return null;
    columns.push(column);
  }
  const total = senders.reduce((sum, { groupCount }) => sum + groupCount, 0);
  const table = new IntTable(total);
  const numbersOf: Int32Array[] = [];
  for (const [i, column] of columns.entries()) {
    const numbers = new Int32Array(senders[i]!.groupCount);
    for (let from = 0; from < numbers.length; from += keysPerStep) {
      if (from > 0) yield;
      table.add(column, numbers, from, Math.min(numbers.length, from + keysPerStep));
    }
    numbersOf.push(numbers);
  }
  return {
    ...{ count: table.count, numbersOf, keys: () => [table.keys()] },
    keysOf: (groups) => [takeKeys(table.keys(), groups)],
  };
}

class IntTable {
  count = 0;
  /** Group + 1, 0 = free; at most half of them are taken. */
  readonly #slots: Int32Array;
  /** Low and high half of each group's key. */
  readonly #halves: Int32Array;
  /** The group of rows without a value; -1: there is none. */
  #missing = -1;

  constructor(groupsMax: number) {
    const slotCount = 2 ** Math.ceil(Math.log2(Math.max(16, groupsMax * 2)));
    this.#slots = new Int32Array(slotCount);
    this.#halves = new Int32Array(groupsMax * 2);
  }

  /** The group of each key from the first number on and below the second. */
  add({ values, present }: IntKeys, numbers: Int32Array, from: number, to: number): void {
    const given = new Int32Array(values.buffer, values.byteOffset, to * 2);
    const slots = this.#slots;
    const halves = this.#halves;
    const mask = slots.length - 1;
    let count = this.count;
    for (let i = from; i < to; i++) {
      if (present[i] === 0) {
        if (this.#missing < 0) this.#missing = count++;
        numbers[i] = this.#missing;
        continue;
      }
      const low = given[2 * i]!;
      const high = given[2 * i + 1]!;
      let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
      let slot = (hash ^ (hash >>> 13)) & mask;
      let found = slots[slot]!;
      while (found !== 0 && (halves[2 * found - 2] !== low || halves[2 * found - 1] !== high)) {
        slot = (slot + 1) & mask;
        found = slots[slot]!;
      }
      if (found === 0) {
        halves[2 * count] = low;
        halves[2 * count + 1] = high;
        found = ++count;
        slots[slot] = found;
      }
      numbers[i] = found - 1;
    }
    this.count = count;
  }

  keys(): IntKeys {
    const { count } = this;
    const present = new Uint8Array(count).fill(1);
    if (this.#missing >= 0) present[this.#missing] = 0;
    const values = new BigInt64Array(count);
    new Int32Array(values.buffer).set(this.#halves.subarray(0, count * 2));
    return { kind: "int", values, present };
  }
}
