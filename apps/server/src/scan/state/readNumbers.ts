import type { ReadGroups } from "./stateScan.js";

/** Rows of each of the groups. */
export function readCounts(
  memory: WebAssembly.Memory,
  address: number,
  groups: Uint32Array,
): Float64Array {
  const groupCount = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  const counts = new Uint32Array(memory.buffer, address, groupCount);
  const out = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) out[i] = counts[groups[i]!]!;
  return out;
}

/** i64 totals below 2^53 as numbers. */
export function readTotals(
  memory: WebAssembly.Memory,
  address: number,
  groups: Uint32Array,
): Float64Array {
  const words = new Int32Array(memory.buffer, address, wordsFor(groups, 1));
  const out = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) {
    const at = groups[i]! * 2;
    out[i] = words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
  }
  return out;
}

/** The weight of each group; where no row has a sample rate, its rows. */
export function readWeights(
  memory: WebAssembly.Memory,
  address: number,
  { groups, counts }: ReadGroups,
): Float64Array {
  return address === 0 ? counts() : readTotals(memory, address, groups);
}

/** 32-bit words up to the last group, at `perGroup` 64-bit words each. */
export function wordsFor(groups: Uint32Array, perGroup: number): number {
  return groups.length === 0 ? 0 : (groups[groups.length - 1]! + 1) * perGroup * 2;
}
