import { addToStates } from "../state/stateScans.js";
import type { SideTask } from "../task/scanTask.js";
import { clearGroups } from "./clearGroups.js";
import type { RowsToAdd, TableContext } from "./groupTable.js";

/**
 * Numbers the groups of rows, clears those that are new, and adds the rows to their states.
 * `numberOf` returns where it wrote the numbers.
 */
export function addNumbered(
  context: TableContext,
  side: SideTask,
  added: RowsToAdd,
  numberOf: () => number,
): void {
  const { rows, masked, mask, count, progress, onGroups } = added;
  const before = progress.levelCounts.at(-1) ?? 0;
  const groups = numberOf();
  clearGroups(context, side, before, progress.levelCounts.at(-1) ?? 0);
  onGroups?.(groups);
  const selected = mask === 0 ? rows.count : count;
  addToStates(context, side, { unit: masked, selection: { rows, mask, count: selected }, groups });
}
