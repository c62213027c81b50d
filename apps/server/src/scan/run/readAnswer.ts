import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { groupTableOf } from "../group/groupTables.js";
import type { GroupProgress } from "../key/groupNumbers.js";
import type { ReadContext } from "../state/readContext.js";
import { readCounts } from "../state/readNumbers.js";
import { readState, stateScanOf } from "../state/stateScans.js";
import type { KeyAnswer, SideAnswer } from "../task/scanAnswer.js";
import type { SideTask } from "../task/scanTask.js";
import { noStrings } from "../value/virtualCodes.js";
import { chooseGroups } from "./preCut.js";

/**
 * Copies the groups that have rows, and their states, from shared memory. A column is a step, as
 * there may be hundreds of thousands of groups: between two steps nothing stays in the scratch,
 * which other scans use.
 */
export function* readSideSteps(
  context: ReadContext,
  side: SideTask,
  progress: GroupProgress,
): Steps<SideAnswer> {
  const settled = groupTableOf(side).settle(context, side, progress);
  yield;
  const groupEnd = settled.ranges.at(-1)?.[1] ?? 0;
  for (const task of side.states) stateScanOf(task).settle?.(context.kernel, task, groupEnd);
  yield;
  const counted = countedSide(side, progress);
  const { groups, groupsCut, cutRanks } = chooseGroups(context, counted, settled.ranges);
  yield;
  const { groupCount, keys, states } = yield* readGroupSteps(context, counted, progress, groups);
  const { levelCounts, levelSlots, isRadix, isFilled } = progress;
  // Spread properties come last: V8 takes half a microsecond to add to such an object.
  return {
    groupCount,
    keys,
    states,
    groupsCut: groupsCut + settled.leftOut,
    levelCounts,
    levelSlots,
    isRadix,
    isFilled,
    ...(cutRanks === undefined ? {} : { cutRanks }),
  };
}

/** The side with its counts where they are. */
export function countedSide(side: SideTask, progress: GroupProgress): SideTask {
  return { ...side, counts: groupTableOf(side).countsOf?.(side, progress) ?? side.counts };
}

/** The same in one step. */
export const readSideAnswer = (...of: Parameters<typeof readSideSteps>): SideAnswer =>
  atOnce(readSideSteps(...of));

/** Keys and states of some groups, ascending by number. */
export const readGroups = (
  ...of: Parameters<typeof readGroupSteps>
): Pick<SideAnswer, "groupCount" | "keys" | "states"> => atOnce(readGroupSteps(...of));

function* readGroupSteps(
  context: ReadContext,
  side: SideTask,
  progress: GroupProgress,
  groups: Uint32Array,
): Steps<Pick<SideAnswer, "groupCount" | "keys" | "states">> {
  // Where nothing has a sample rate, several states are the same counts.
  let known: Float64Array | null = null;
  const counts = (): Float64Array => {
    known ??= readCounts(context.memory, side.counts, groups);
    return known;
  };
  const keys = readKeys(context.memory, side, progress, groups);
  const states: StateColumn[] = [];
  for (const task of side.states) {
    yield;
    states.push(yield* readState(context, task, { side, groups, counts }));
  }
  return { groupCount: groups.length, keys, states };
}

function readKeys(
  memory: WebAssembly.Memory,
  side: SideTask,
  progress: GroupProgress,
  groups: Uint32Array,
): KeyAnswer[] {
  const keys = side.components.map((component, index): KeyAnswer => {
    if (component.kind === "time")
      return { kind: "bucket", indexes: new Int32Array(groups.length) };
    if (component.kind === "codes") {
      const virtual = progress.virtualCodes[index]!;
      const strings = virtual.size === 0 ? noStrings : virtual.encode();
      return { kind: "codes", codes: new Uint32Array(groups.length), strings };
    }
    const values = new BigInt64Array(groups.length);
    return { kind: "int", values, present: new Uint8Array(groups.length) };
  });
  groupTableOf(side).readKeys(memory, { side, progress }, { groups, keys });
  return keys;
}
