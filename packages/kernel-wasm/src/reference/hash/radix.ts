import { type RadixOperations, type RadixTable, radixParts } from "../../operations/hash/radix.js";
import type { MemoryView } from "../memoryView.js";
import { mixKey } from "./hashKeys.js";

const none = 2 ** 32 - 1;

/**
 * Part and slot are chosen by the kernel's hash: either may continue a table that the other began.
 */
export function referenceRadix(view: MemoryView): RadixOperations {
  const partOf = (key: bigint): number => Number(mixKey(key) >> 56n);
  const slotOf = (key: bigint, slotCount: number): number =>
    Number((((mixKey(key) >> 24n) & 0xffff_ffffn) * BigInt(slotCount)) >> 32n);
  const waitingAt = ({ parts }: RadixTable, part: number): number => parts + part * 4;
  const slotsAt = ({ parts }: RadixTable, part: number): number => parts + (radixParts + part) * 4;
  const takenAt = ({ parts }: RadixTable, part: number): number =>
    parts + (2 * radixParts + part) * 4;
  const bufferAt = (table: RadixTable, part: number, place: number): number =>
    table.buffers + part * (table.bufferKeys * 8 + 64) + place * 8;

  /** The slot that has the key, or the free one where it would go. */
  const find = (table: RadixTable, part: number, key: bigint): number => {
    const slotCount = view.u32(slotsAt(table, part));
    let slot = slotOf(key, slotCount);
    for (;;) {
      const group = part * table.partSlots + slot;
      if (view.u32(table.counts + group * 4) === 0) return group;
      if (view.u64(table.keys + group * 8) === key) return group;
      slot = (slot + 1) % slotCount;
    }
  };

  const put = (table: RadixTable, part: number, key: bigint, count: number): boolean => {
    const group = find(table, part, key);
    const before = view.u32(table.counts + group * 4);
    if (before === 0) view.setU64(table.keys + group * 8, key);
    view.setU32(table.counts + group * 4, before + count);
    return before === 0;
  };

  const grow = (table: RadixTable, part: number): void => {
    const slotCount = view.u32(slotsAt(table, part));
    const first = part * table.partSlots;
    const kept: [key: bigint, count: number][] = [];
    for (let group = first; group < first + slotCount; group++) {
      const count = view.u32(table.counts + group * 4);
      if (count !== 0) kept.push([view.u64(table.keys + group * 8), count]);
    }
    for (let slot = 0; slot < slotCount * 2; slot++) {
      view.setU32(table.counts + (first + slot) * 4, 0);
    }
    view.setU32(slotsAt(table, part), slotCount * 2);
    for (const [key, count] of kept) put(table, part, key, count);
  };

  const add = (table: RadixTable, part: number, key: bigint, count: number): boolean => {
    if (!put(table, part, key, count)) return true;
    const taken = view.u32(takenAt(table, part)) + 1;
    view.setU32(takenAt(table, part), taken);
    const slotCount = view.u32(slotsAt(table, part));
    if (slotCount === table.partSlots) return taken <= (slotCount / 8) * 7;
    if (taken > slotCount / 2) grow(table, part);
    return true;
  };

  const countWaiting = (table: RadixTable, part: number): boolean => {
    const waiting = view.u32(waitingAt(table, part));
    view.setU32(waitingAt(table, part), 0);
    for (let i = 0; i < waiting; i++) {
      if (!add(table, part, view.u64(bufferAt(table, part, i)), 1)) return false;
    }
    return true;
  };

  return {
    clearRadixTable: (table, firstSlots) => {
      for (let part = 0; part < radixParts; part++) {
        view.setU32(waitingAt(table, part), 0);
        view.setU32(slotsAt(table, part), firstSlots);
        view.setU32(takenAt(table, part), 0);
        for (let slot = 0; slot < firstSlots; slot++) {
          view.setU32(table.counts + (part * table.partSlots + slot) * 4, 0);
        }
      }
    },
    addRadixKeys: (table, keys, count) => {
      for (let k = 0; k < count; k++) {
        const key = view.u64(keys + k * 8);
        const part = partOf(key);
        const waiting = view.u32(waitingAt(table, part));
        view.setU64(bufferAt(table, part, waiting), key);
        view.setU32(waitingAt(table, part), waiting + 1);
        if (waiting + 1 === table.bufferKeys && !countWaiting(table, part)) return false;
      }
      return true;
    },
    addRadixCounts: (table, keys, counts, count) => {
      for (let k = 0; k < count; k++) {
        const key = view.u64(keys + k * 8);
        if (!add(table, partOf(key), key, view.u32(counts + k * 4))) return false;
      }
      return true;
    },
    flushRadixTable: (table) => {
      let known = 0;
      for (let part = 0; part < radixParts; part++) {
        if (!countWaiting(table, part)) return -1;
        known += view.u32(takenAt(table, part));
      }
      return known;
    },
    findRadixKeys: (groups, keys, count, table) => {
      for (let k = 0; k < count; k++) {
        const key = view.u64(keys + k * 8);
        const group = find(table, partOf(key), key);
        const isThere = view.u32(table.counts + group * 4) !== 0;
        view.setU32(groups + k * 4, isThere ? group : none);
      }
    },
  };
}
