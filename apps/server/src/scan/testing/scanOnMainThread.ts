import { functionLimitsDefault } from "../../base/limit/functionLimits.js";
import type { Steps } from "../../base/schedule/steps.js";
import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { Table } from "../../store/table/table.js";
import { KeptScans } from "../answer/keptScans.js";
import type { LeafAnswer } from "../leafAnswer.js";
import { ScanRun } from "../run/scanRun.js";
import { scanTable } from "../scanTable.js";
import type { ScanTask } from "../task/scanTask.js";
import type { ScanContext } from "../thread/scanContext.js";
import { carriedAnswer, carriedTask } from "./carried.js";
import type { ScanMemory } from "./scanMemory.js";

/**
 * Queries a table in this process, without user functions: as many lanes as there would be threads,
 * a step of each in turn.
 */
export function scanOnMainThread(
  { memory, kernel, leaf, scratch }: ScanMemory,
  query: ResolvedQuery,
  table: Table,
  threadCount: number,
  signal: StopSignal = new StopController().signal,
): Promise<LeafAnswer> {
  const threads = {
    count: threadCount,
    run: async (lanes: readonly ScanTask[]) => {
      const runs = lanes.map((task) => new ScanRun({ memory, kernel, scratch }, carriedTask(task)));
      while (runs.some(({ done }) => !done)) for (const run of runs) if (!run.done) run.step();
      return runs.map(carriedAnswer);
    },
  } as unknown as ScanContext["threads"];
  const sandbox = new SandboxHost({
    script: new URL("file:///nowhere/sandbox.js"),
    limits: functionLimitsDefault,
    isolation: "weak",
    warn: () => undefined,
  });
  const context: ScanContext = {
    ...{ memory: leaf, kernel, scratch, threads, sandbox },
    kept: new KeptScans(),
    nextTaskId: () => 1,
  };
  return scanTable({ query, context, signal, onPartial: ignorePartial }, table);
}

function* ignorePartial(): Steps<void> {}
