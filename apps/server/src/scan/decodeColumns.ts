import type { KernelOperations } from "@hadal/kernel-wasm";
import { decodeInts } from "../column/intEncodings.js";
import type { ColumnDecode } from "./decodedView.js";
import type { ScanUnit } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

interface DecodeContext {
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/** What of a segment matters to decoding. */
type DecodedUnit = Pick<ScanUnit, "decodes" | "rowCount">;

/** Makes the encoded columns that the unit reads plain, in the thread's own room; from then on the unit's values have addresses. */
export function decodeColumns(context: DecodeContext, unit: DecodedUnit): void {
  for (const decode of unit.decodes) if (!decode.late) decodeColumn(context, unit, decode);
}

/** The same for what only group numbers are made of. */
export function decodeLateColumns(context: DecodeContext, unit: DecodedUnit): void {
  for (const decode of unit.decodes) if (decode.late) decodeColumn(context, unit, decode);
}

function decodeColumn(
  { kernel, scratch }: DecodeContext,
  { rowCount }: DecodedUnit,
  { encoded, values, room }: ColumnDecode,
): void {
  if (room !== null) values.address = scratch.decoded[room]!;
  decodeInts(kernel, values, encoded, rowCount);
}
