import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { Scratch } from "../../memory/scratch.js";
import type { CoarseHistogram } from "../../task/histogramTask.js";

/**
 * Numbers the `count` pairs of group and bucket whose keys are in the scratch, while `known` have a
 * number; returns how many have one now.
 */
export function hashPairs(
  kernel: KernelOperations,
  scratch: Scratch,
  { table }: Extract<CoarseHistogram, { kind: "sparse" }>,
  { count, known }: { readonly count: number; readonly known: number },
): number {
  const after = kernel.hashKeys(scratch.pairs, scratch.keys, count, table, known);
  if (after >= 0) return after;
  const neededBytes = table.groupsMax * 2 * 32;
  throw new HadalError("query-memory", {
    neededBytes,
    limitName: "histogramPairsMax",
    freeBytes: neededBytes / 2,
  });
}
