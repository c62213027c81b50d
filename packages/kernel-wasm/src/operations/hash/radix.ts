import { RADIX_PARTS } from "../../../assembly/abi.js";

/** Parts that a radix table cuts its keys into. */
export const radixParts: number = RADIX_PARTS;

/**
 * Counts by key for keys that are far more than a cache holds: dealt out to {@link radixParts}
 * parts by their hash, and counted part by part. A group's number is that of its slot: part p has
 * those from p · partSlots on, and in use are as many as `parts` says; a slot whose count is 0 is
 * free.
 */
export interface RadixTable {
  /** u32 × radixParts · partSlots: rows of each group. */
  readonly counts: number;
  /** u64 × radixParts · partSlots: the key of each group. */
  readonly keys: number;
  /** u32 × radixParts each: keys that wait in the buffer, slots in use, keys in the table. */
  readonly parts: number;
  /** A power of two from 8 on. Of a part that uses all of them seven eighths may be taken. */
  readonly partSlots: number;
  /** radixParts · (bufferKeys · 8 + 64) bytes. */
  readonly buffers: number;
  readonly bufferKeys: number;
  /** Scratch: partSlots · 4 + 16 bytes. */
  readonly spare: number;
}

export interface RadixOperations {
  /** Makes the table empty; each part starts with `firstSlots` slots, a power of two from 8 on. */
  clearRadixTable(table: RadixTable, firstSlots: number): void;
  /**
   * Counts one for each key, some of them when the table is flushed. False: a part has no more
   * room, and the table is of no more use.
   */
  addRadixKeys(table: RadixTable, keys: number, count: number): boolean;
  /** Adds counts (u32, none 0) to those of their keys. False as above. */
  addRadixCounts(table: RadixTable, keys: number, counts: number, count: number): boolean;
  /** Counts what waits. Returns how many keys there are; -1: a part has no more room. */
  flushRadixTable(table: RadixTable): number;
  /** The group of each key of a flushed table; 2^32 - 1 where it has none. */
  findRadixKeys(groups: number, keys: number, count: number, table: RadixTable): void;
}

type Table = [counts: number, tableKeys: number, parts: number, partSlots: number];
type Buffers = [buffers: number, bufferKeys: number];

export interface RadixExports {
  clearRadixTable(counts: number, parts: number, partSlots: number, firstSlots: number): void;
  addRadixKeys(...a: [...Table, ...Buffers, spare: number, keys: number, count: number]): number;
  addRadixCounts(
    ...a: [...Table, spare: number, keys: number, keyCounts: number, count: number]
  ): number;
  flushRadixTable(...a: [...Table, ...Buffers, spare: number]): number;
  findRadixKeys(...a: [groups: number, keys: number, count: number, ...Table]): void;
}

export function radixOperations(wasm: RadixExports): RadixOperations {
  const tableOf = ({ counts, keys, parts, partSlots }: RadixTable): Table => [
    counts,
    keys,
    parts,
    partSlots,
  ];
  const buffersOf = ({ buffers, bufferKeys }: RadixTable): Buffers => [buffers, bufferKeys];
  return {
    clearRadixTable: ({ counts, parts, partSlots }, firstSlots) =>
      wasm.clearRadixTable(counts, parts, partSlots, firstSlots),
    addRadixKeys: (table, keys, count) =>
      wasm.addRadixKeys(...tableOf(table), ...buffersOf(table), table.spare, keys, count) !== 0,
    addRadixCounts: (table, keys, counts, count) =>
      wasm.addRadixCounts(...tableOf(table), table.spare, keys, counts, count) !== 0,
    flushRadixTable: (table) =>
      wasm.flushRadixTable(...tableOf(table), ...buffersOf(table), table.spare),
    findRadixKeys: (groups, keys, count, table) =>
      wasm.findRadixKeys(groups, keys, count, ...tableOf(table)),
  };
}
