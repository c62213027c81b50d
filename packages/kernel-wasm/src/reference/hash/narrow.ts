import {
  type NarrowGroups,
  type NarrowOperations,
  type NarrowRank,
  type NarrowTable,
  narrowBatchRows,
  narrowParts,
  rankBins,
} from "../../operations/hash/narrow.js";
import type { MemoryView } from "../memoryView.js";

interface Row {
  readonly key: number;
  readonly count: number;
  readonly sum: bigint;
}

/**
 * Part and slot are chosen by the kernel's hash: either may continue a table that the other began.
 */
export function referenceNarrow(view: MemoryView): NarrowOperations {
  const slotBytes = ({ hasSums }: NarrowTable): number => (hasSums ? 16 : 8);
  const rowBytes = ({ hasSums }: NarrowTable): number => (hasSums ? 8 : 4);
  const waitingAt = ({ parts }: NarrowTable, part: number): number => parts + part * 4;
  const slotsAt = ({ parts }: NarrowTable, part: number): number =>
    parts + (narrowParts + part) * 4;
  const takenAt = ({ parts }: NarrowTable, part: number): number =>
    parts + (2 * narrowParts + part) * 4;
  const dealtAt = ({ parts }: NarrowTable): number => parts + 3 * narrowParts * 4;
  const isDealt = (table: NarrowTable): boolean => view.u32(dealtAt(table)) === 1;
  const bufferAt = (table: NarrowTable, part: number): number =>
    table.buffers + part * (table.bufferRows * rowBytes(table) + 64);
  const partOf = (table: NarrowTable, key: number): number =>
    isDealt(table) ? mix32(key) >>> 24 : 0;
  /**
   * Where a slot has its key, its count and its sum: four slots are a bucket of keys, counts and
   * sums.
   */
  const slotAt = (table: NarrowTable, part: number, slot: number) => {
    const lane = slot % 4;
    const bucket = table.slots + (part * table.partSlots + slot - lane) * slotBytes(table);
    return { key: bucket + lane * 4, count: bucket + 16 + lane * 4, sum: bucket + 32 + lane * 8 };
  };

  /** Where the key is, or the free slot where it would go. */
  const find = (table: NarrowTable, part: number, key: number) => {
    const slotCount = view.u32(slotsAt(table, part));
    const hash = isDealt(table) ? (mix32(key) << 8) >>> 0 : mix32(key);
    let slot = Math.floor((hash * slotCount) / 4 / 2 ** 32) * 4;
    for (;;) {
      const at = slotAt(table, part, slot);
      const there = view.u32(at.key);
      if (there === 0 || there === key + 1) return at;
      slot = (slot + 1) % slotCount;
    }
  };
  const put = (table: NarrowTable, part: number, { key, count, sum }: Row): boolean => {
    const at = find(table, part, key);
    const isNew = view.u32(at.key) === 0;
    view.setU32(at.key, key + 1);
    view.setU32(at.count, isNew ? count : view.u32(at.count) + count);
    if (table.hasSums) view.setI64(at.sum, isNew ? sum : view.i64(at.sum) + sum);
    return isNew;
  };
  const groupsOf = (table: NarrowTable, part: number): Row[] => {
    const slots = Array.from({ length: view.u32(slotsAt(table, part)) }, (_, slot) =>
      slotAt(table, part, slot),
    );
    return slots
      .filter((at) => view.u32(at.key) !== 0)
      .map((at) => ({
        key: view.u32(at.key) - 1,
        count: view.u32(at.count),
        sum: table.hasSums ? view.i64(at.sum) : 0n,
      }));
  };
  const clearSlots = (table: NarrowTable, part: number, slotCount: number): void => {
    view.setU32(slotsAt(table, part), slotCount);
    const words = (slotCount * slotBytes(table)) / 4;
    for (let i = 0; i < words; i++) view.setU32(slotAt(table, part, 0).key + i * 4, 0);
  };
  const grow = (table: NarrowTable, part: number): void => {
    const kept = groupsOf(table, part);
    clearSlots(table, part, view.u32(slotsAt(table, part)) * 2);
    for (const row of kept) put(table, part, row);
  };
  const addToPart = (table: NarrowTable, part: number, row: Row): boolean => {
    if (!put(table, part, row)) return true;
    const taken = view.u32(takenAt(table, part)) + 1;
    view.setU32(takenAt(table, part), taken);
    const slotCount = view.u32(slotsAt(table, part));
    if (slotCount === table.partSlots) return taken <= (slotCount / 8) * 7;
    if (taken > slotCount / 2) grow(table, part);
    return true;
  };
  const startParts = (table: NarrowTable): boolean => {
    const kept = groupsOf(table, 0);
    view.setU32(dealtAt(table), 1);
    for (let part = 0; part < narrowParts; part++) {
      view.setU32(takenAt(table, part), 0);
      clearSlots(table, part, Math.min(table.partSlots, 512));
    }
    return kept.every((row) => addToPart(table, partOf(table, row.key), row));
  };
  const addUndealt = (table: NarrowTable, row: Row): void => {
    if (!put(table, 0, row)) return;
    const taken = view.u32(takenAt(table, 0)) + 1;
    view.setU32(takenAt(table, 0), taken);
    // Half of the slots of the one table.
    if (taken > view.u32(slotsAt(table, 0)) / 2) grow(table, 0);
  };
  /** Rows that are taken together go to the one table, or are dealt out, together. */
  const addBatch = (table: NarrowTable, rows: readonly Row[]): boolean => {
    if (isDealt(table)) return rows.every((row) => deal(table, row));
    for (const row of rows) addUndealt(table, row);
    return view.u32(takenAt(table, 0)) <= table.undealtMax || startParts(table);
  };
  const addWaiting = (table: NarrowTable, part: number): boolean => {
    const waiting = view.u32(waitingAt(table, part));
    view.setU32(waitingAt(table, part), 0);
    for (let i = 0; i < waiting; i++) {
      const at = bufferAt(table, part) + i * rowBytes(table);
      const sum = table.hasSums ? BigInt(view.u32(at + 4)) : 0n;
      if (!addToPart(table, part, { key: view.u32(at), count: 1, sum })) return false;
    }
    return true;
  };
  const deal = (table: NarrowTable, { key, sum }: Row): boolean => {
    const part = partOf(table, key);
    const waiting = view.u32(waitingAt(table, part));
    const at = bufferAt(table, part) + waiting * rowBytes(table);
    view.setU32(at, key);
    if (table.hasSums) view.setU32(at + 4, Number(sum));
    view.setU32(waitingAt(table, part), waiting + 1);
    return waiting + 1 < table.bufferRows || addWaiting(table, part);
  };
  const list = (
    table: NarrowTable,
    { keys, counts, sums }: NarrowGroups,
    base: bigint,
    rows: readonly Row[],
  ): number => {
    rows.forEach(({ key, count, sum }, i) => {
      view.setU32(keys + i * 4, key);
      view.setU32(counts + i * 4, count);
      if (table.hasSums) view.setI64(sums + i * 8, sum + base * BigInt(count));
    });
    return rows.length;
  };
  const allGroups = (table: NarrowTable): Row[] =>
    Array.from({ length: narrowParts }, (_, part) => groupsOf(table, part)).flat();

  return {
    clearNarrowTable: (table, firstSlots) => {
      for (let i = 0; i <= 3 * narrowParts; i++) view.setU32(table.parts + i * 4, 0);
      clearSlots(table, 0, firstSlots);
    },
    addNarrowRows: (table, keys, values, count) => {
      const rows = Array.from({ length: count }, (_, k): Row => {
        const sum = table.hasSums ? BigInt(view.u32(values + k * 4)) : 0n;
        return { key: view.u32(keys + k * 4), count: 1, sum };
      });
      for (let k = 0; k < count; k += narrowBatchRows) {
        if (!addBatch(table, rows.slice(k, k + narrowBatchRows))) return false;
      }
      return true;
    },
    flushNarrowTable: (table) => {
      let known = 0;
      for (let part = 0; part < narrowParts; part++) {
        if (!addWaiting(table, part)) return -1;
        known += view.u32(takenAt(table, part));
      }
      return known;
    },
    binNarrowRanks: (bins, table, rank, from, to) => {
      for (let bin = 0; bin < rankBins; bin++) view.setU32(bins + bin * 4, 0);
      for (let part = from; part < to; part++) {
        for (const row of groupsOf(table, part)) {
          const at = bins + binOf(row, rank) * 4;
          view.setU32(at, view.u32(at) + 1);
        }
      }
    },
    listNarrowGroups: (table, groups, rank, leastBin) =>
      list(
        table,
        groups,
        rank.base,
        allGroups(table).filter((row) => binOf(row, rank) >= leastBin),
      ),
    listNarrowKeys: (table, groups, base, keys, count) => {
      const known = new Map(allGroups(table).map((row) => [row.key, row]));
      const asked = Array.from({ length: count }, (_, k) => known.get(view.u32(keys + k * 4)));
      return list(
        table,
        groups,
        base,
        asked.filter((row) => row !== undefined),
      );
    },
  };
}

/** The top 16 bits of a double sort as it does, but for the sign. */
function binOf({ count, sum }: Row, { bySum, desc, base }: NarrowRank): number {
  const rank = bySum ? Number(sum + base * BigInt(count)) : count;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, desc ? rank : -rank);
  const top = view.getUint16(0);
  return top < 0x8000 ? top + 0x8000 : 0xffff - top;
}

function mix32(key: number): number {
  let hash = Math.imul(key ^ (key >>> 16), 0x21f0aaad);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x735a2d97) >>> 0;
}
