import type { KernelOperations } from "@hadal/kernel-wasm";
import { bytesPerSpread } from "../../aggregate/state/spreadState.js";
import { clearDistinct } from "../state/gatherDistinct.js";
import { clearHistogram } from "../state/gatherHistogram.js";
import type { SideTask } from "../task/scanTask.js";
import { clearDealt } from "./dealtParts.js";

interface ClearContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: Pick<KernelOperations, "clearGroups" | "clearPartedKeys">;
}

/** A part with more keys than half of this does not start with room. */
const firstSlotsMax = 64;

/** Makes ready what a scan begins with; this is done here, not on the thread that takes rows in. Groups of other than direct tables follow as they come. */
export function clearSide(context: ClearContext, side: SideTask): void {
  const { memory } = context;
  const { table } = side;
  const groupCount =
    table.kind === "single" ? 1 : table.kind === "direct" ? table.groupCount : table.groupsMax;
  if (table.kind === "single" || table.kind === "direct") clearGroups(context, side, 0, groupCount);
  if (table.kind === "parted") {
    const { partSlots } = table.table;
    context.kernel.clearPartedKeys(table.table, Math.min(firstSlotsMax, partSlots));
  }
  if (table.kind === "direct" && table.tallies !== 0) {
    context.kernel.clearGroups(table.tallies, Math.ceil(groupCount / 4));
  }
  if (side.dealt !== null) clearDealt(memory, side.dealt);
  for (const state of side.states) {
    if (state.kind === "distinct") clearDistinct(memory, state);
    if (state.kind === "histogram") clearHistogram(memory, state, groupCount);
  }
}

/** Sets the accumulators of groups [from, to) to their neutral value. */
export function clearGroups(
  { memory, kernel }: ClearContext,
  side: SideTask,
  from: number,
  to: number,
): void {
  if (from >= to) return;
  // By the kernel: JavaScript's engine fills a shared memory element by element.
  const clear = (address: number, perGroup: number): void => {
    if (address !== 0) kernel.clearGroups(address + from * perGroup, ((to - from) * perGroup) / 4);
  };
  clear(side.counts, 4);
  for (const state of side.states) {
    if (state.kind === "weight" || state.kind === "present") clear(state.sums, 8);
    if (state.kind === "spread") clear(state.sums, bytesPerSpread);
    if (state.kind === "squares") clear(state.sums, state.wide ? 40 : 8);
    if (state.kind === "sum") {
      clear(state.sums, state.wide ? 24 : 8);
      clear(state.lows, 4);
      clear(state.weights, 8);
    }
    if (state.kind === "min" || state.kind === "max") {
      const start = state.kind === "min" ? 2n ** 63n - 1n : -(2n ** 63n);
      new BigInt64Array(memory.buffer, state.extremes, to).fill(start, from);
      clear(state.presence, 8);
    }
  }
}
