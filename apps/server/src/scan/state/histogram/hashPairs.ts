import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { Scratch } from "../../memory/scratch.js";
import type { CoarseHistogram } from "../../task/histogramTask.js";

/**
 * Numbers the `count` pairs of group and bucket whose keys are in the scratch, of which `before`
 * are known; returns how many are known now.
 */
export function hashPairs(
  kernel: KernelOperations,
  scratch: Scratch,
  { table }: Extract<CoarseHistogram, { kind: "sparse" }>,
  count: number,
  before: number,
): number {
  const after = kernel.hashKeys(scratch.pairs, scratch.keys, count, table, before);
  if (after >= 0) return after;
  const neededBytes = table.groupsMax * 2 * 32;
  throw new HadalError("query-memory", {
    neededBytes,
    limitName: "histogramPairsMax",
    freeBytes: neededBytes / 2,
  });
}
