import type { RowSet } from "../../base/addresses.js";
import type { DistinctOperations, ElementSet } from "../../operations/aggregate/distinct.js";
import type { MemoryView } from "../memoryView.js";

export function referenceDistinct(view: MemoryView): DistinctOperations {
  const write = (elements: number, rows: RowSet, elementOf: (row: number) => bigint) => {
    for (let k = 0; k < rows.count; k++) {
      view.setU64(elements + k * 8, elementOf(view.rowOf(rows, k)));
    }
  };
  return {
    addToBitmaps: (bitmaps, groups, rows, values, offset, present, groupBits) => {
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const bit = Number(view.value(values, row) + offset);
        const at = bitmaps + (view.groupOf(groups, k) * groupBits) / 8 + (bit >> 3);
        view.setByte(at, view.byte(at) | (1 << (bit & 7)));
      }
    },
    intElements: (elements, rows, values, base) =>
      write(elements, rows, (row) => view.value(values, row) + base),
    codeElements: (elements, rows, codes, table) =>
      write(elements, rows, (row) => view.u64(table + Number(view.value(codes, row)) * 8)),
    addElements: (set, known, groups, elements, rows, present) => {
      let count = known;
      for (let k = 0; k < rows.count; k++) {
        if (!view.isPresent(present, view.rowOf(rows, k))) continue;
        const slot = slotOf(view, set, view.groupOf(groups, k), view.u64(elements + k * 8));
        if (view.u32(slot) !== 0) continue;
        if (count === set.entriesMax) return -1;
        view.setU64(set.elements + count * 8, view.u64(elements + k * 8));
        view.setU32(set.groups + count * 4, view.groupOf(groups, k));
        count++;
        view.setU32(slot, count);
      }
      return count;
    },
    addToRegisters: (registers, bits, groups, elements, rows, present) => {
      for (let k = 0; k < rows.count; k++) {
        if (!view.isPresent(present, view.rowOf(rows, k))) continue;
        const hash = mix(view.u64(elements + k * 8))
          .toString(2)
          .padStart(64, "0");
        const register = Number.parseInt(hash.slice(0, bits), 2);
        const zeros = hash.slice(bits).indexOf("1");
        const run = (zeros < 0 ? 64 - bits : zeros) + 1;
        const at = registers + view.groupOf(groups, k) * 2 ** bits + register;
        if (run > view.byte(at)) view.setByte(at, run);
      }
    },
  };
}

/** The slot of the entry, or the free one where it would go. */
function slotOf(view: MemoryView, set: ElementSet, group: number, element: bigint): number {
  const seeded = BigInt.asUintN(64, element + BigInt(group) * 0xa0761d6478bd642fn);
  let slot = Number(mix(seeded) >> 32n) % set.slotCount;
  for (;;) {
    const address = set.slots + slot * 4;
    const taken = view.u32(address);
    if (taken === 0) return address;
    const same = view.u64(set.elements + (taken - 1) * 8) === element;
    if (same && view.u32(set.groups + (taken - 1) * 4) === group) return address;
    slot = (slot + 1) % set.slotCount;
  }
}

/** The same mix as the kernel's: either may continue a set that the other began. */
export function mix(element: bigint): bigint {
  let hash = BigInt.asUintN(64, (element ^ (element >> 32n)) * 0x9e3779b97f4a7c15n);
  hash = BigInt.asUintN(64, (hash ^ (hash >> 29n)) * 0xd6e8feb86659fd93n);
  return hash ^ (hash >> 32n);
}
