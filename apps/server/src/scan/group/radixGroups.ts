import { type RadixTable, type RowSet, radixParts } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { HashLevel, RadixCounts, SideTask } from "../task/scanTask.js";
import { type GroupContext, type GroupedUnit, type GroupProgress, packKeys } from "./groupRows.js";

/** Slots of each part at the start: more than what was hashed before fills by half. */
const firstSlots = 512;

/** A part may have a slot for twice its share of the groups: only keys made to meet in one can fill it before there are too many of all. */
const limitName = "groups of one radix part";

/** Counts the rows by radix if there are many groups already; false: they are to be hashed. */
export function countByRadix(
  context: GroupContext,
  unit: GroupedUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
): boolean {
  const found = radixOf(side);
  if (found === null) return false;
  const { radix, level } = found;
  if (!progress.isRadix) {
    if (progress.levelCounts[0]! < radix.fromGroups) return false;
    startRadix(context, side, level, radix, progress);
  }
  packKeys(context, unit, side, rows, progress, level, 0);
  const { keys } = context.scratch;
  if (!context.kernel.addRadixKeys(radix.table, keys, rows.count)) throw noRoom(radix.table);
  return true;
}

/** Moves what was hashed so far. */
function startRadix(
  { kernel }: GroupContext,
  side: SideTask,
  level: HashLevel,
  { table }: RadixCounts,
  progress: GroupProgress,
): void {
  kernel.clearRadixTable(table, Math.min(firstSlots, table.partSlots));
  const count = progress.levelCounts[0]!;
  const hasRoom = kernel.addRadixCounts(table, level.table.keys, side.counts, count);
  if (!hasRoom) throw noRoom(table);
  progress.isRadix = true;
}

/** Counts what waits, and says where groups are, [from, to) each; a number without rows is none. Null: they are in the hash table. */
export function flushRadix(
  { memory, kernel }: Pick<GroupContext, "memory" | "kernel">,
  side: SideTask,
  progress: GroupProgress,
): (readonly [from: number, to: number])[] | null {
  const found = radixOf(side);
  if (found === null || !progress.isRadix) return null;
  const { table, groupsMax } = found.radix;
  const groupCount = kernel.flushRadixTable(table);
  if (groupCount < 0) throw noRoom(table);
  if (groupCount > groupsMax) throw new HadalError("too-many-groups", { max: groupsMax });
  const slots = new Uint32Array(memory.buffer, table.parts + radixParts * 4, radixParts);
  return Array.from(slots, (slotCount, part) => {
    const first = part * table.partSlots;
    return [first, first + slotCount] as const;
  });
}

/** The side with its counts and keys where they are. */
export function sideAsCounted(
  side: SideTask,
  { isRadix }: Pick<GroupProgress, "isRadix">,
): SideTask {
  const found = isRadix ? radixOf(side) : null;
  return found === null ? side : { ...side, counts: found.radix.table.counts };
}

/** u64 per group: its key; null: they are in the hash table. */
export function radixKeys(
  { buffer }: WebAssembly.Memory,
  side: SideTask,
  { isRadix }: Pick<GroupProgress, "isRadix">,
): BigUint64Array | null {
  const found = isRadix ? radixOf(side) : null;
  if (found === null) return null;
  const { keys, partSlots } = found.radix.table;
  return new BigUint64Array(buffer, keys, radixParts * partSlots);
}

/** Writes the group of every row of the set, the largest u32 where it is none; returns where. */
export function findByRadix(
  context: GroupContext,
  unit: GroupedUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
): number {
  const found = radixOf(side);
  if (found === null) throw new Error("no radix table to look in");
  packKeys(context, unit, side, rows, progress, found.level, 0);
  const { groups, keys } = context.scratch;
  context.kernel.findRadixKeys(groups, keys, rows.count, found.radix.table);
  return groups;
}

function radixOf({ table }: SideTask): { radix: RadixCounts; level: HashLevel } | null {
  if (table.kind !== "hash" || table.radix === null) return null;
  return { radix: table.radix, level: table.levels[0]! };
}

function noRoom({ partSlots }: RadixTable): HadalError {
  const neededBytes = partSlots * 2 * radixParts * 12;
  return new HadalError("query-memory", { neededBytes, limitName, freeBytes: neededBytes / 2 });
}
