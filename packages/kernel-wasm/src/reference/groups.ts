import type { BitmapAddress, HashTable, KernelOperations, RowSet, Values } from "../contract.js";
import type { GroupName } from "../operationNames.js";
import type { MemoryView } from "./memoryView.js";

type ComponentOf = (row: number) => bigint;

export function referenceGroups(view: MemoryView): Pick<KernelOperations, GroupName> {
  const addGroups = (out: number, rows: RowSet, stride: number, componentOf: ComponentOf) => {
    for (let k = 0; k < rows.count; k++) {
      const group = BigInt(view.u32(out + k * 4));
      const next = group + componentOf(view.rowOf(rows, k)) * BigInt(stride);
      view.setU32(out + k * 4, Number(BigInt.asUintN(32, next)));
    }
  };
  const addKeys = (keys: number, rows: RowSet, multiplier: bigint, componentOf: ComponentOf) => {
    for (let k = 0; k < rows.count; k++) {
      const key = view.u64(keys + k * 8);
      view.setU64(keys + k * 8, key * multiplier + componentOf(view.rowOf(rows, k)));
    }
  };
  const code =
    (values: Values): ComponentOf =>
    (row) =>
      view.value(values, row);
  const int =
    (values: Values, present: BitmapAddress, base: bigint): ComponentOf =>
    (row) =>
      view.isPresent(present, row) ? view.value(values, row) - base + 1n : 0n;
  const edge = (values: Values, base: bigint, edges: number, edgeCount: number): ComponentOf => {
    const ascending = Array.from({ length: edgeCount }, (_, i) => view.i64(edges + i * 8));
    return (row) => intervalOf(ascending, view.value(values, row) + base);
  };
  return {
    clearGroups: (out, count) => clear(view, out, count, 4),
    addCodeGroups: (out, values, rows, stride) => addGroups(out, rows, stride, code(values)),
    addIntGroups: (out, values, present, rows, base, stride) =>
      addGroups(out, rows, stride, int(values, present, base)),
    addEdgeGroups: (out, values, base, rows, edges, edgeCount, stride) =>
      addGroups(out, rows, stride, edge(values, base, edges, edgeCount)),
    clearKeys: (keys, count) => clear(view, keys, count, 8),
    addCodeKeys: (keys, values, rows, multiplier) => addKeys(keys, rows, multiplier, code(values)),
    addIntKeys: (keys, values, present, rows, base, multiplier) =>
      addKeys(keys, rows, multiplier, int(values, present, base)),
    addEdgeKeys: (keys, values, base, rows, edges, edgeCount, multiplier) =>
      addKeys(keys, rows, multiplier, edge(values, base, edges, edgeCount)),
    hashKeys: (groups, keys, count, table, groupCount) =>
      hashKeys(view, groups, keys, count, table, groupCount),
    clearHashTable: (table) => clear(view, table.slots, table.slotCount, 4),
  };
}

function clear(view: MemoryView, address: number, count: number, width: 4 | 8): void {
  for (let i = 0; i < (count * width) / 4; i++) view.setU32(address + i * 4, 0);
}

function intervalOf(edges: readonly bigint[], value: bigint): bigint {
  const above = edges.findIndex((edge) => edge > value);
  return BigInt(above === -1 ? edges.length - 1 : above - 1);
}

/** Part of the hash stands in the slots, as the kernel has it: either may go on with a table that the other began. */
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
