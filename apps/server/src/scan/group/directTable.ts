import { directGroups } from "../key/groupNumbers.js";
import { talliesOf } from "../state/tallies.js";
import { addNumbered } from "./addNumbered.js";
import { addTotals } from "./addTotals.js";
import { addDealt, flushDealt } from "./dealtRows.js";
import type { GroupTableScan, SideWith } from "./groupTable.js";
import { writePackedKeys } from "./packedKeys.js";

/**
 * A place for every group that there could be: its number is the sum of its components, each times
 * a stride.
 */
export const directTable: GroupTableScan<SideWith<"direct">> = {
  firstGroups: ({ table }) => table.groupCount,
  prepare({ kernel }, { table }) {
    if (table.tallies !== 0) kernel.clearGroups(table.tallies, Math.ceil(table.groupCount / 4));
  },
  add(context, side, added) {
    const { unit, grouped, rows, progress, onGroups } = added;
    if (grouped === unit && onGroups === null) {
      if (addDealt(context, side, added)) return;
      if (addTotals(context, { side, unit, rows, progress })) return;
    }
    added.decodeLate();
    const toGroup = { side, unit: grouped, rows, progress };
    addNumbered(context, side, added, () => directGroups(context, toGroup));
  },
  groupsMax: ({ table }) => table.groupCount,
  flush: flushDealt,
  settle({ kernel }, side) {
    const { groupCount } = side.table;
    const tallied = talliesOf(side);
    if (tallied !== null) kernel.flushTallies(tallied, groupCount);
    return { ranges: [[0, groupCount]], leftOut: 0 };
  },
  readKeys: (_, { side }, { groups, keys }) => writePackedKeys(side, keys, groups),
  *find(context, keys) {
    const { side, rows } = keys;
    const { buffer } = context.memory;
    const counts = new Uint32Array(buffer, side.counts, side.table.groupCount);
    const numbers = new Uint32Array(buffer, directGroups(context, keys), rows.count);
    for (const group of numbers) if (counts[group] !== 0) yield group;
  },
};
