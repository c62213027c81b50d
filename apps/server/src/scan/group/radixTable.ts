import { type RadixTable, radixParts } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import {
  type GroupContext,
  type GroupProgress,
  packKeys,
  type RowsToGroup,
} from "../key/groupNumbers.js";
import type { HashLevel, RadixCounts } from "../task/scanTask.js";
import type { GroupRange, SideWith } from "./groupTable.js";

type HashSide = SideWith<"hash">;
type RadixRows = RowsToGroup & { readonly side: HashSide };

/** Slots of each part at the start: the groups hashed before fill less than half of them. */
const firstSlots = 512;

/**
 * A part has slots for twice its share of the groups: only keys chosen to collide can fill it
 * before all groups are too many.
 */
const limitName = "groups of one radix part";

/** Counts the rows by radix if there are many groups already; false: they must be hashed. */
export function countByRadix(context: GroupContext, rowsToGroup: RadixRows): boolean {
  const { side, progress, rows } = rowsToGroup;
  const found = radixOf(side);
  if (found === null) return false;
  const { radix, level } = found;
  if (!progress.isRadix) {
    if (progress.levelCounts[0]! < radix.fromGroups) return false;
    startRadix(context, side, found, progress);
  }
  packKeys(context, rowsToGroup, level, 0);
  const { keys } = context.scratch;
  if (!context.kernel.addRadixKeys(radix.table, keys, rows.count)) throw noRoom(radix.table);
  return true;
}

interface RadixLevel {
  readonly radix: RadixCounts;
  readonly level: HashLevel;
}

/** Moves the groups that were hashed so far. */
function startRadix(
  { kernel }: GroupContext,
  side: HashSide,
  { level, radix: { table } }: RadixLevel,
  progress: GroupProgress,
): void {
  kernel.clearRadixTable(table, Math.min(firstSlots, table.partSlots));
  const count = progress.levelCounts[0]!;
  const hasRoom = kernel.addRadixCounts(table, level.table.keys, side.counts, count);
  if (!hasRoom) throw noRoom(table);
  progress.isRadix = true;
}

/**
 * Counts the waiting keys. Returns the ranges of group numbers; a number without rows is no group.
 */
export function flushRadix(
  { memory, kernel }: Pick<GroupContext, "memory" | "kernel">,
  side: HashSide,
): GroupRange[] {
  const { table, groupsMax } = radixIn(side).radix;
  const groupCount = kernel.flushRadixTable(table);
  if (groupCount < 0) throw noRoom(table);
  if (groupCount > groupsMax) throw new HadalError("too-many-groups", { max: groupsMax });
  const slots = new Uint32Array(memory.buffer, table.parts + radixParts * 4, radixParts);
  return Array.from(slots, (slotCount, part) => {
    const first = part * table.partSlots;
    return [first, first + slotCount] as const;
  });
}

/** Address of the groups' counts. */
export const radixCountsOf = (side: HashSide): number => radixIn(side).radix.table.counts;

/** u64 per group: its key. */
export function radixKeysOf(buffer: ArrayBufferLike, side: HashSide): BigUint64Array {
  const { keys, partSlots } = radixIn(side).radix.table;
  return new BigUint64Array(buffer, keys, radixParts * partSlots);
}

/** Writes the group of every key, or the largest u32 where there is none; returns the address. */
export function findByRadix(context: GroupContext, keysToFind: RadixRows): number {
  const { radix, level } = radixIn(keysToFind.side);
  packKeys(context, keysToFind, level, 0);
  const { groups, keys } = context.scratch;
  context.kernel.findRadixKeys(groups, keys, keysToFind.rows.count, radix.table);
  return groups;
}

function radixIn(side: HashSide): RadixLevel {
  const found = radixOf(side);
  if (found === null) throw new Error("the side has no radix table");
  return found;
}

function radixOf({ table }: HashSide): RadixLevel | null {
  if (table.radix === null) return null;
  return { radix: table.radix, level: table.levels[0]! };
}

function noRoom({ partSlots }: RadixTable): HadalError {
  const neededBytes = partSlots * 2 * radixParts * 12;
  return new HadalError("query-memory", { neededBytes, limitName, freeBytes: neededBytes / 2 });
}
