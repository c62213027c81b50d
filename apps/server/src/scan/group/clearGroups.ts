import type { KernelOperations } from "@hadal/kernel-wasm";
import { stateScanOf } from "../state/stateScans.js";
import type { SideTask } from "../task/scanTask.js";

interface ClearContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: Pick<KernelOperations, "clearGroups">;
}

/** Sets the counts and states of groups [from, to) to those without rows. */
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
