import type { KernelOperations, TallyTable } from "@hadal/kernel-wasm";
import type { SideTask } from "../task/scanTask.js";

/** Where rows of a direct table of many groups are counted while it is scanned; null: in its counts. */
export function talliesOf({ table, counts }: SideTask): TallyTable | null {
  if (table.kind !== "direct" || table.tallies === 0) return null;
  return { tallies: table.tallies, counts };
}

/** Brings counts and sums of such a table up to date. */
export function completeTotals(
  { kernel }: { kernel: KernelOperations },
  side: SideTask,
  { levelCounts }: { readonly levelCounts: readonly number[] },
): void {
  const { table } = side;
  const tallied = talliesOf(side);
  const groupCount = table.kind === "direct" ? table.groupCount : (levelCounts[0] ?? 0);
  if (tallied !== null) kernel.flushTallies(tallied, groupCount);
  for (const state of side.states) {
    if (state.kind === "sum" && state.lows !== 0) kernel.flushLowSums(state, groupCount);
  }
}
