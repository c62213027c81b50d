import type { KernelOperations } from "@hadal/kernel-wasm";
import { stateScanOf } from "../state/stateScans.js";
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
  for (const task of side.states) stateScanOf(task).prepare?.(memory, task, groupCount);
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
  const clear = (address: number, groupBytes: number): void =>
    kernel.clearGroups(address + from * groupBytes, ((to - from) * groupBytes) / 4);
  clear(side.counts, 4);
  for (const task of side.states) {
    for (const { address, groupBytes, start } of stateScanOf(task).arrays(task)) {
      if (address === 0) continue;
      if (start === undefined) clear(address, groupBytes);
      else new BigInt64Array(memory.buffer, address, to).fill(start, from);
    }
  }
}
