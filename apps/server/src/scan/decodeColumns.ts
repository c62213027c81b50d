import type { KernelOperations } from "@hadal/kernel-wasm";
import { decodeInts } from "../column/intEncodings.js";
import type { ScanUnit } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

/** Makes the encoded columns that the unit reads plain, in the thread's own room; from then on the unit's values have addresses. */
export function decodeColumns(
  { kernel, scratch }: { readonly kernel: KernelOperations; readonly scratch: Scratch },
  unit: ScanUnit,
): void {
  for (const { encoded, values, room } of unit.decodes) {
    if (room !== null) values.address = scratch.decoded[room]!;
    decodeInts(kernel, values, encoded, unit.rowCount);
  }
}
