import { bytesPerSpread } from "../../aggregate/state/spreadState.js";
import type { Selection } from "../memory/selection.js";
import { type GatherContext, gatherStates } from "../state/gatherStates.js";
import { maskedUnit } from "../state/maskedUnit.js";
import type { ScanUnit, SideTask, StateTask } from "../task/scanTask.js";
import { findTimeRuns, hasLongRuns, timeComponentOf } from "./timeRuns.js";

/**
 * Whether a unit is gathered bucket by bucket, each as if it were the only group: rows of a bucket are neighbours, so nothing
 * but time needs to be grouped by, and every state is gathered as it is without a group by.
 */
export function gathersByTime(memory: WebAssembly.Memory, unit: ScanUnit, side: SideTask): boolean {
  if (side.table.kind !== "direct" || side.components.length !== 1) return false;
  const time = timeComponentOf(side);
  return (
    time !== null &&
    side.states.every(({ kind }) => kind !== "histogram" && kind !== "distinct") &&
    // These are made ready for all rows at once: not for every run again.
    unit.inputs.every((input) => input === null || (!input.coded && input.shift === 0)) &&
    hasLongRuns(memory, unit, time.component, unit.rowCount)
  );
}

export function gatherByTime(
  context: GatherContext,
  unit: ScanUnit,
  side: SideTask,
  { rows, mask }: Selection,
): void {
  const time = timeComponentOf(side);
  if (time === null) throw new Error("no time to gather by");
  const read = mask === 0 ? unit : maskedUnit(context, unit, mask);
  for (const { rows: part, bucket } of findTimeRuns(context, unit, time.component, rows)) {
    const count =
      mask === 0
        ? part.count
        : context.kernel.countOfRun(mask, part.start, part.start + part.count);
    if (count === 0) continue;
    gatherStates(context, read, sideAt(side, bucket), { rows: part, count, mask }, 0);
  }
}

/** The side as if group `group` were its first. */
function sideAt(side: SideTask, group: number): SideTask {
  const move = (address: number, perGroup: number): number =>
    address === 0 ? 0 : address + group * perGroup;
  const stateAt = (state: StateTask): StateTask => {
    switch (state.kind) {
      case "rows":
        return state;
      case "weight":
      case "present":
        return { ...state, sums: move(state.sums, 8) };
      case "sum":
        return {
          ...state,
          sums: move(state.sums, state.wide ? 24 : 8),
          weights: move(state.weights, 8),
        };
      case "spread":
        return { ...state, sums: move(state.sums, bytesPerSpread) };
      case "squares":
        return { ...state, sums: move(state.sums, state.wide ? 40 : 8) };
      case "min":
      case "max":
        return {
          ...state,
          extremes: move(state.extremes, 8),
          presence: move(state.presence, 8),
        };
      case "histogram":
      case "distinct":
      case "function":
        throw new Error(`${state.kind} is not gathered by time`);
    }
  };
  return { ...side, counts: move(side.counts, 4), states: side.states.map(stateAt) };
}
