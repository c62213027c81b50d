import { HadalError } from "@hadal/sdk";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { LoweredQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import type { ScanContext } from "../thread/scanContext.js";
import type { RowAggregator } from "./rowAggregator.js";

export interface AggregatedRound {
  readonly aggregators: readonly RowAggregator[];
  readonly segments: LoweredQuery["segments"];
  readonly task: ScanTask;
}

/**
 * Scans on the main thread, which sends the groups of rows to the sandbox: that takes longer than
 * finding them. At most two segments are on their way to the sandbox.
 */
export async function aggregateOnMainThread(
  { memory: leaf, kernel, scratch }: ScanContext,
  { aggregators, segments, task }: AggregatedRound,
  memory: QueryMemory,
  signal: StopSignal,
): Promise<ScanAnswer> {
  for (const aggregator of aggregators) aggregator.begin(memory);
  let sent: Promise<unknown>[] = [];
  const run = new ScanRun(
    { memory: leaf.memory, kernel, scratch },
    task,
    (unitIndex, rows, groups) => {
      const segment = segments[unitIndex]!;
      const { side } = task.units[unitIndex]!;
      for (const aggregator of aggregators) {
        sent.push(...aggregator.update(side, segment, rows, groups));
      }
    },
  );
  let before: Promise<unknown> = Promise.resolve();
  while (!run.done) {
    sent = [];
    run.step();
    const now = Promise.all(sent);
    // A failure is handled where it is awaited.
    now.catch(() => undefined);
    await before;
    if (signal.aborted) throw new HadalError("cancelled");
    before = now;
  }
  await before;
  return run.answer();
}

/**
 * Adds the states of the round's groups from the sandbox, which begins the next round without any.
 */
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
