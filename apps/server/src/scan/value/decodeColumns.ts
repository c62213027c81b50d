import type { KernelOperations } from "@hadal/kernel-wasm";
import { decodeInts } from "../../column/intEncodings.js";
import type { Scratch } from "../memory/scratch.js";
import type { ColumnDecode } from "../task/columnDecode.js";
import type { ScanUnit } from "../task/scanTask.js";
import { type DeriveContext, runDerive } from "./runDerive.js";

export interface DecodeContext extends DeriveContext {
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
}

/** What of a segment matters to decoding. */
type DecodedUnit = Pick<ScanUnit, "decodes" | "rowCount">;

/**
 * Decodes the columns that the unit reads and computes the derived ones, into the scratch or the
 * query's memory; then the unit's values have addresses. Returns the derived columns in which some
 * row has overflown.
 */
export function decodeColumns(context: DecodeContext, unit: DecodedUnit): readonly ColumnDecode[] {
  return unit.decodes.filter((decode) => !decode.late && decodeColumn(context, unit, decode));
}

/** The same for columns that are used for group numbers only. */
export function decodeLateColumns(context: DecodeContext, unit: DecodedUnit): void {
  for (const decode of unit.decodes) if (decode.late) decodeColumn(context, unit, decode);
}

function decodeColumn(
  context: DecodeContext,
  { rowCount }: DecodedUnit,
  { encoded, values, scratchIndex }: ColumnDecode,
): boolean {
  const { kernel, scratch } = context;
  if (scratchIndex !== null) values.address = scratch.decoded[scratchIndex]!;
  if (encoded.kind === "compiled" || encoded.kind === "evaluated") {
    return runDerive(context, encoded, values, rowCount);
  }
  decodeInts(kernel, values, encoded, rowCount);
  return false;
}
