import { groupCapacity } from "../group/groupTables.js";
import { unitCountOf } from "../run/scanRun.js";
import type { ScanTask, SideTask } from "../task/scanTask.js";
import { isCheapUnit } from "./cheapUnit.js";

/** Some 30 million rows: about 20 milliseconds. */
const unitsMax = 512;

/** Groups that are read and counted at once at the end; `heavy`: each has large states. */
export interface GroupsMax {
  readonly plain: number;
  readonly heavy: number;
}

/** Whether a task is done within some tens of milliseconds, in steps that are short too. */
export function isShort(task: ScanTask, groupsMax: GroupsMax): boolean {
  return (
    !task.background &&
    task.sample === null &&
    task.branches.length === 0 &&
    unitCountOf(task) <= unitsMax &&
    task.units.every(isCheapUnit) &&
    task.sides.every((side) => hasFewGroups(side, groupsMax))
  );
}

function hasFewGroups({ table, states, dealt }: SideTask, { plain, heavy }: GroupsMax): boolean {
  // Parts are full at about the same time: a turn would be long.
  if (dealt !== null) return false;
  const isHeavy = states.some(({ kind }) => kind === "histogram" || kind === "distinct");
  return groupCapacity(table) <= (isHeavy ? heavy : plain);
}
