import { unmixKey } from "@hadal/kernel-wasm";
import { mixedKeys } from "../key/groupNumbers.js";
import { addNumbered } from "./addNumbered.js";
import { addDealt, flushDealt } from "./dealtRows.js";
import { type GroupTableScan, type SideWith, settledInOrder } from "./groupTable.js";
import { numberKeys } from "./numberKeys.js";
import { packedKeysOf, writePackedKeys } from "./packedKeys.js";

/** A part with more keys than half of this does not start with room. */
const firstSlotsMax = 64;

/**
 * Keys of 32 bits that are given dense ids, in a hash table of parts that fit a core's second
 * cache.
 */
export const partedTable: GroupTableScan<SideWith<"parted">> = {
  firstGroups: () => 0,
  prepare({ kernel }, { table: { table } }) {
    kernel.clearPartedKeys(table, Math.min(firstSlotsMax, table.partSlots));
  },
  add(context, side, added) {
    const { unit, grouped, rows, progress, onGroups } = added;
    added.decodeLate();
    if (grouped === unit && onGroups === null && addDealt(context, side, added)) return;
    addNumbered(context, side, added, () => {
      const keys = mixedKeys(context, { side, unit: grouped, rows, progress });
      return numberKeys(context, side.table, { keys, count: rows.count, of: "any part" }, progress);
    });
  },
  groupsMax({ dealt }, { levelCounts }) {
    // Groups of rows that wait are not counted yet.
    const isDealt = dealt !== null && levelCounts[0]! >= dealt.fromGroups;
    return isDealt ? Number.POSITIVE_INFINITY : levelCounts[0]!;
  },
  flush: flushDealt,
  settle: (_, __, progress) => settledInOrder(progress),
  readKeys({ buffer }, { side, progress: { levelCounts } }, { groups, keys }) {
    const known = new Uint32Array(buffer, side.table.table.keys, levelCounts[0] ?? 0);
    const packed = packedKeysOf(known, groups);
    for (let i = 0; i < packed.length; i++) packed[i] = unmixKey(packed[i]!);
    writePackedKeys(side, keys, packed);
  },
  *find(context, { side, unit, rows, progress }, { numbered }) {
    const keys = mixedKeys(context, { side, unit, rows, progress });
    const { count } = rows;
    const numbers = numberKeys(context, side.table, { keys, count, of: "any part" }, progress);
    for (const group of new Uint32Array(context.memory.buffer, numbers, count)) {
      if (group < numbered) yield group;
    }
  },
};
