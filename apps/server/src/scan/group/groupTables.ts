import type { GroupProgress } from "../key/groupNumbers.js";
import { stateScanOf } from "../state/stateScans.js";
import type { GroupTable, SideTask } from "../task/scanTask.js";
import { VirtualCodes } from "../value/virtualCodes.js";
import { clearGroups } from "./clearGroups.js";
import { clearDealt } from "./dealtRows.js";
import { directTable } from "./directTable.js";
import type { GroupTableScan, PrepareContext, SideWith } from "./groupTable.js";
import { hashTable } from "./hashTable.js";
import { narrowTable } from "./narrowTable.js";
import { partedTable } from "./partedTable.js";
import { singleTable } from "./singleTable.js";

type GroupTables = { readonly [Kind in GroupTable["kind"]]: GroupTableScan<SideWith<Kind>> };

/** The registry: what each kind of group table does. */
const groupTables: GroupTables = {
  single: singleTable,
  direct: directTable,
  narrow: narrowTable,
  parted: partedTable,
  hash: hashTable,
};

/** Each entry takes sides with a table of its kind only. */
export const groupTableOf = ({ table }: SideTask): GroupTableScan =>
  groupTables[table.kind] as GroupTableScan;

/**
 * Clears the memory of a side before a scan. Runs on the scan thread, not on the one that stores
 * rows.
 */
export function prepareSide(context: PrepareContext, side: SideTask): void {
  const table = groupTableOf(side);
  clearGroups(context, side, 0, table.firstGroups(side));
  table.prepare?.(context, side);
  if (side.dealt !== null) clearDealt(context.memory, side.dealt);
  const capacity = groupCapacity(side.table);
  for (const task of side.states) stateScanOf(task).prepare?.(context.memory, task, capacity);
}

/** How many groups the states of a side have room for. */
export function groupCapacity(table: GroupTable): number {
  if (table.kind === "single") return 1;
  return "groupCount" in table ? table.groupCount : table.groupsMax;
}

/** Before any row. */
export function createGroupProgress({ table, components }: SideTask): GroupProgress {
  const levels = table.kind === "hash" ? table.levels : [];
  return {
    levelCounts: table.kind === "parted" ? [0] : levels.map(() => 0),
    levelSlots: levels.map(() => 0),
    isRadix: false,
    isFilled: false,
    virtualCodes: components.map(() => new VirtualCodes()),
  };
}
