import { findTimeRuns, hasLongRuns, timeComponentOf } from "../key/timeRuns.js";
import type { Selection } from "../memory/selection.js";
import { maskedUnit } from "../state/maskedUnit.js";
import { addressAt, type StateContext } from "../state/stateScan.js";
import { addToStates, stateScanOf } from "../state/stateScans.js";
import type { ScanUnit, SideTask } from "../task/scanTask.js";

/**
 * Whether the rows of a unit are added bucket by bucket, each as if it were the only group: rows of
 * a bucket are neighbours, so that no row needs a group number.
 */
export function isAddedByTime(memory: WebAssembly.Memory, unit: ScanUnit, side: SideTask): boolean {
  if (side.table.kind !== "direct" || side.components.length !== 1) return false;
  const time = timeComponentOf(side);
  return (
    time !== null &&
    side.states.every((task) => stateScanOf(task).at !== undefined) &&
    // These are made ready for all rows at once: not for every run again.
    unit.inputs.every((input) => input === null || (!input.coded && input.shift === 0)) &&
    hasLongRuns(memory, unit, time.component, unit.rowCount)
  );
}

export function addByTime(
  context: StateContext,
  unit: ScanUnit,
  side: SideTask,
  { rows, mask }: Selection,
): void {
  const time = timeComponentOf(side);
  if (time === null) throw new Error("no time to add by");
  const read = mask === 0 ? unit : maskedUnit(context, unit, mask);
  for (const { rows: part, bucket } of findTimeRuns(context, unit, time.component, rows)) {
    const count =
      mask === 0
        ? part.count
        : context.kernel.countOfRun(mask, part.start, part.start + part.count);
    if (count === 0) continue;
    addToStates(context, sideAt(side, bucket), {
      unit: read,
      selection: { rows: part, count, mask },
      groups: 0,
    });
  }
}

/** The side as if group `group` were its first. */
function sideAt(side: SideTask, group: number): SideTask {
  const states = side.states.map((task) => {
    const scan = stateScanOf(task);
    if (scan.at === undefined) throw new Error(`${task.kind} is not added bucket by bucket`);
    return scan.at(task, group);
  });
  return { ...side, counts: addressAt(side.counts, group, 4), states };
}
