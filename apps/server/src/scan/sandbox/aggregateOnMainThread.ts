import { HadalError } from "@hadal/sdk";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { LoweredQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer, ScanTask } from "../task/scanTask.js";
import type { ScanContext } from "../thread/scanContext.js";
import type { RowAggregator } from "./rowAggregator.js";

/**
 * Scans on the main thread, which sends the groups of rows to the sandbox: that takes longer than finding them.
 * A segment is not begun before the sandbox has the one before the last behind it.
 */
export async function aggregateOnMainThread(
  aggregators: readonly RowAggregator[],
  lowered: LoweredQuery,
  task: ScanTask,
  { memory: leaf, kernel, scratch }: ScanContext,
  memory: QueryMemory,
  signal: StopSignal,
): Promise<ScanAnswer> {
  for (const aggregator of aggregators) aggregator.begin(memory);
  let sent: Promise<unknown>[] = [];
  const run = new ScanRun(leaf.memory, kernel, scratch, task, (unitIndex, rows, groups) => {
    const segment = lowered.segments[unitIndex]!;
    const { side } = task.units[unitIndex]!;
    for (const aggregator of aggregators) {
      sent.push(...aggregator.update(side, segment, rows, groups));
    }
  });
  let before: Promise<unknown> = Promise.resolve();
  while (!run.done) {
    sent = [];
    run.step();
    const now = Promise.all(sent);
    // Whoever waits for it hears of it, however late.
    now.catch(() => undefined);
    await before;
    if (signal.aborted) throw new HadalError("cancelled");
    before = now;
  }
  await before;
  return run.answer();
}

/** The states that the sandbox has of the round's groups; it begins the next round with none. */
export async function takeStates(
  aggregators: readonly RowAggregator[],
  part: PartialResult,
): Promise<PartialResult> {
  if (aggregators.length === 0) return part;
  const sides = part.sides.map((side) => ({ ...side, states: [...side.states] }));
  for (const aggregator of aggregators) {
    const { stateIndex } = aggregator;
    const columns = sides.map((side) => side.states[stateIndex]!);
    const taken = await aggregator.take(columns);
    sides.forEach((side, i) => {
      side.states[stateIndex] = taken[i]!;
    });
  }
  return { ...part, sides };
}
