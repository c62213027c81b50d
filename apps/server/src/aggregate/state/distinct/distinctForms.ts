import { mixElement } from "@hadal/kernel-wasm";
import { countBits } from "../../../base/bytes/countBits.js";
import { GroupTable } from "../../key/groupTable.js";
import type { StateColumn } from "../../partial/partialResult.js";

export type DistinctColumn = Extract<StateColumn, { readonly kind: "distinct" }>;
type Bitmaps = Extract<DistinctColumn, { form: "bitmaps" }>;
type Elements = Extract<DistinctColumn, { form: "elements" }>;
type Registers = Extract<DistinctColumn, { form: "registers" }>;

/** 16,384 registers: a standard error of 0.81 %. */
const registerBitsMax = 14;
/** 16 registers: 26 %. */
const registerBitsMin = 4;
const registersMax = 2 ** 24;

/** As many registers a group as all of them together leave room for: 16 MiB. */
export function registerBitsFor(groupCount: number): number {
  const fitting = Math.floor(Math.log2(registersMax / Math.max(1, groupCount)));
  return Math.max(registerBitsMin, Math.min(registerBitsMax, fitting));
}

export function elementCounts({ offsets }: Elements, groups: Uint32Array): Uint32Array {
  return groups.map((group) => offsets[group + 1]! - offsets[group]!);
}

/** The integers of bitmaps, one by one. */
export function bitmapsToElements(column: Bitmaps, groupCount: number): Elements {
  const { base, groupBits, words } = column;
  const perGroup = groupBits / 32;
  const baseLow = Number(BigInt.asUintN(32, base));
  const baseHigh = Number(BigInt.asUintN(32, base >> 32n));
  const offsets = new Uint32Array(groupCount + 1);
  const elements = new Uint32Array(2 * countBits(words));
  let count = 0;
  for (let group = 0; group < groupCount; group++) {
    for (let j = 0; j < perGroup; j++) {
      for (let word = words[group * perGroup + j]!; word !== 0; word &= word - 1) {
        const low = baseLow + j * 32 + (31 - Math.clz32(word & -word));
        elements[count++] = low;
        elements[count++] = baseHigh + Math.floor(low / 2 ** 32);
      }
    }
    offsets[group + 1] = count / 2;
  }
  return { kind: "distinct", form: "elements", offsets, elements };
}

/** Each element of each group once. */
export function appendElements(
  inputs: readonly { readonly column: Elements; readonly groups: Int32Array }[],
  groupCount: number,
): Elements {
  const most = inputs.reduce((max, { column }) => Math.max(max, column.elements.length / 2), 0);
  const table = new GroupTable(3, most);
  const key = new Int32Array(3);
  for (const { column, groups } of inputs) {
    for (let i = 0; i < groups.length; i++) {
      key[0] = groups[i]!;
      for (let at = column.offsets[i]!; at < column.offsets[i + 1]!; at++) {
        key[1] = column.elements[at * 2]!;
        key[2] = column.elements[at * 2 + 1]!;
        table.add(key, 0);
      }
    }
  }
  return elementsByGroup(table.words, groupCount);
}

/** Words are triples of group, low and high half. */
function elementsByGroup(words: Int32Array, groupCount: number): Elements {
  const offsets = new Uint32Array(groupCount + 1);
  for (let at = 0; at < words.length; at += 3) offsets[words[at]! + 1]! += 1;
  for (let group = 0; group < groupCount; group++) offsets[group + 1]! += offsets[group]!;
  const next = offsets.slice(0, groupCount);
  const elements = new Uint32Array(offsets[groupCount]! * 2);
  for (let at = 0; at < words.length; at += 3) {
    const place = next[words[at]!]!++;
    elements[place * 2] = words[at + 1]!;
    elements[place * 2 + 1] = words[at + 2]!;
  }
  return { kind: "distinct", form: "elements", offsets, elements };
}

export function elementsToRegisters(
  { offsets, elements }: Elements,
  groupCount: number,
  bits: number,
): Registers {
  const registers = new Uint8Array(groupCount * 2 ** bits);
  for (let group = 0; group < groupCount; group++) {
    for (let at = offsets[group]!; at < offsets[group + 1]!; at++) {
      const [low, high] = mixElement(elements[at * 2]!, elements[at * 2 + 1]!);
      const register = group * 2 ** bits + (high >>> (32 - bits));
      const rest = (high << bits) | (low >>> (32 - bits));
      const zeros = rest !== 0 ? Math.clz32(rest) : 32 + Math.clz32(low << bits);
      const run = Math.min(zeros, 64 - bits) + 1;
      if (run > registers[register]!) registers[register] = run;
    }
  }
  return { kind: "distinct", form: "registers", bits, registers };
}

/** As if fewer bits had chosen the register from the start. */
export function foldRegisters(column: Registers, groupCount: number, bits: number): Registers {
  const folded = column.bits - bits;
  if (folded === 0) return column;
  const size = 2 ** column.bits;
  const registers = new Uint8Array(groupCount * 2 ** bits);
  for (let i = 0; i < groupCount * size; i++) {
    const own = column.registers[i]!;
    if (own === 0) continue;
    // The bits that no longer choose a register begin what is searched for a one.
    const left = i & (2 ** folded - 1);
    const run = left === 0 ? own + folded : Math.clz32(left) - (32 - folded) + 1;
    const into = i >>> folded;
    if (run > registers[into]!) registers[into] = run;
  }
  return { kind: "distinct", form: "registers", bits, registers };
}
