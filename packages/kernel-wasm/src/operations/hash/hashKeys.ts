import type { HashTable } from "../../base/addresses.js";

/** Keys of 64 bits to dense group ids. */
export interface HashKeyOperations {
  /**
   * groups[k] = dense id of keys[k], new keys numbered in order of arrival from table.groupCount
   * on. Returns the new number of groups, or -1 when groupsMax is reached (then groups is
   * undefined). The table: see {@link HashTable}.
   */
  hashKeys(
    groups: number,
    keys: number,
    count: number,
    table: HashTable,
    groupCount: number,
  ): number;
  /** Makes the table empty (slots all free). */
  clearHashTable(table: HashTable): void;
}

export interface HashKeyExports {
  hashKeys(
    ...a: [
      ...[groups: number, keys: number, count: number, slots: number, slotCount: number],
      ...[tableKeys: number, groupsMax: number, groupCount: number],
    ]
  ): number;
  clearHashTable(slots: number, slotCount: number): void;
}

export function hashKeyOperations(wasm: HashKeyExports): HashKeyOperations {
  return {
    hashKeys: (groups, keys, count, table, groupCount) =>
      wasm.hashKeys(
        ...([groups, keys, count, ...slotsOf(table)] as const),
        ...([table.keys, table.groupsMax, groupCount] as const),
      ),
    clearHashTable: (table) => wasm.clearHashTable(...slotsOf(table)),
  };
}

const slotsOf = (table: HashTable): readonly [number, number] => [table.slots, table.slotCount];
