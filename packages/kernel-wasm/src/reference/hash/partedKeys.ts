import type { PartedKeyOperations } from "../../operations/hash/partedKeys.js";
import type { MemoryView } from "../memoryView.js";

/** Its table is the list of the keys that have ids. */
export function referencePartedKeys(view: MemoryView): PartedKeyOperations {
  return {
    mixKeys: (keys, count) => {
      for (let k = 0; k < count; k++) view.setU32(keys + k * 4, mixed(view.u32(keys + k * 4)));
    },
    clearPartedKeys: () => undefined,
    numberPartedKeys: (ids, keys, count, _onePart, table, known) => {
      const idOf = new Map<number, number>();
      for (let id = 0; id < known; id++) idOf.set(view.u32(table.keys + id * 4), id);
      for (let k = 0; k < count; k++) {
        const key = view.u32(keys + k * 4);
        const id = idOf.get(key) ?? idOf.size;
        if (id === table.keysMax) return -1;
        if (id === idOf.size) view.setU32(table.keys + id * 4, key);
        idOf.set(key, id);
        view.setU32(ids + k * 4, id);
      }
      return idOf.size;
    },
  };
}

const mixed = (key: number): number => (lowbias(key) ^ lowbias(0xffff_ffff) ^ 0xffff_ffff) >>> 0;

/** As narrow tables mix their keys. */
function lowbias(key: number): number {
  let hash = Math.imul(key ^ (key >>> 16), 0x21f0aaad);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x735a2d97);
}
