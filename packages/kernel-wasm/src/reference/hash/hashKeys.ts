import type { HashTable } from "../../base/addresses.js";
import type { HashKeyOperations } from "../../operations/hash/hashKeys.js";
import type { MemoryView } from "../memoryView.js";

export function referenceHashKeys(view: MemoryView): HashKeyOperations {
  return {
    hashKeys: (groups, keys, count, table, groupCount) =>
      hashKeys(view, groups, keys, count, table, groupCount),
    clearHashTable: (table) => view.clear(table.slots, table.slotCount * 4),
  };
}

/**
 * A part of the hash is in the slots, as in the kernel: either may continue a table that the other
 * began.
 */
function hashKeys(
  view: MemoryView,
  groups: number,
  keys: number,
  count: number,
  table: HashTable,
  groupCount: number,
): number {
  const idBits = BigInt(32 - Math.clz32(table.groupsMax));
  const idMask = 2 ** Number(idBits) - 1;
  const buckets = table.slotCount / 4;
  let known = groupCount;
  for (let k = 0; k < count; k++) {
    const key = view.u64(keys + k * 8);
    const hash = mixKey(key);
    const tag = Number(((BigInt.asUintN(40, hash) >> 8n) >> idBits) << idBits);
    let slot = Number((hash * BigInt(buckets)) >> 64n) * 4;
    const isOther = (word: number): boolean =>
      word !== 0 && view.u64(table.keys + ((word & idMask) - 1) * 8) !== key;
    while (isOther(view.u32(table.slots + slot * 4))) slot = (slot + 1) % table.slotCount;
    let id = (view.u32(table.slots + slot * 4) & idMask) - 1;
    if (id < 0) {
      if (known === table.groupsMax) return -1;
      id = known++;
      view.setU64(table.keys + id * 8, key);
      view.setU32(table.slots + slot * 4, tag + known);
    }
    view.setU32(groups + k * 4, id);
  }
  return known;
}

export function mixKey(key: bigint): bigint {
  const hash = BigInt.asUintN(64, (key ^ (key >> 32n)) * 0x9e3779b97f4a7c15n);
  return BigInt.asUintN(64, (hash ^ (hash >> 29n)) * 0xd6e8feb86659fd93n);
}
