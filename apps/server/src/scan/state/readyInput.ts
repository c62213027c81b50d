import type { RowSet } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { fitsInt64, rescale } from "../../column/decimal.js";
import type { AddedUnit, SegmentInput } from "../task/scanTask.js";
import type { StateContext } from "./stateScan.js";

/** Values and presence of the rows in the kernel's form: integers at the wanted decimals. */
export function readyInput(
  context: StateContext,
  unit: AddedUnit,
  rows: RowSet,
  input: SegmentInput,
): SegmentInput {
  return input.coded
    ? withPresence(context, unit, input)
    : atWantedScale(context, unit, rows, input);
}

/** A bitmap of the rows that have a code. The mask is free: the rows are selected already. */
export function withPresence(
  { kernel, scratch }: StateContext,
  unit: AddedUnit,
  input: SegmentInput,
): SegmentInput {
  const present = scratch.masks[0]!;
  kernel.selectRange(present, input.values, unit.rowCount, 1n, 0xffff_ffffn);
  return { ...input, present };
}

/** Values of the rows at the query's decimals; a copy where the segment has others. */
export function atWantedScale(
  { memory, reader, scratch }: StateContext,
  unit: AddedUnit,
  rows: RowSet,
  input: SegmentInput,
): SegmentInput {
  if (input.shift === 0) return input;
  const out = new BigInt64Array(memory.buffer, scratch.values, unit.rowCount);
  const listed = new Uint32Array(memory.buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  const [from, to] = input.shift > 0 ? [0, input.shift] : [-input.shift, 0];
  for (let k = 0; k < rows.count; k++) {
    const row = rows.rows === 0 ? rows.start + k : listed[k]!;
    if (!reader.isPresent(input.present, row)) continue;
    const value = rescale(reader.int(input, row), from, to);
    if (!fitsInt64(value)) {
      const detail = `A value does not fit 64 bits at ${input.shift} more decimals.`;
      throw new HadalError("type-mismatch", { detail });
    }
    out[row] = value;
  }
  return {
    ...input,
    values: { address: scratch.values, width: 8 },
    base: 0n,
    small: false,
    shift: 0,
  };
}
