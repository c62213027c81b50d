import type { RowSet, Values } from "@hadal/kernel-wasm";
import type { ColumnReader } from "../column/readColumn.js";
import type { ScanUnit } from "./scanTask.js";
import type { Scratch } from "./scratch.js";

/** An error is itself an estimate: of one group so many rows of a segment tell it as well as all. */
const spreadRowsWanted = 1_024;
const u32Max = 2 ** 32 - 1;

/**
 * Which of the rows to gather an error from, and how many each of them stands for. Where groups share the rows, all:
 * a small group has none to spare. Else a run of them, another one in each segment.
 */
export function spreadPart(
  rows: RowSet,
  selectedCount: number,
  groups: number,
  seed: number,
): { readonly part: RowSet; readonly scale: number } {
  const runs = groups === 0 ? Math.floor(selectedCount / spreadRowsWanted) : 1;
  if (runs < 2) return { part: rows, scale: 1 };
  const count = Math.floor(rows.count / runs);
  const first = count * (seed % runs);
  const part =
    rows.rows === 0
      ? { ...rows, start: rows.start + first, count }
      : { ...rows, rows: rows.rows + first * 4, count };
  return { part, scale: rows.count / count };
}

/** The unit with every row weighted by the square of its weight; what does not fit 32 bits stays the largest that does, which the root can tell. */
export function withSquaredWeights(
  {
    memory,
    reader,
    scratch,
  }: {
    readonly memory: WebAssembly.Memory;
    readonly reader: ColumnReader;
    readonly scratch: Scratch;
  },
  unit: ScanUnit,
): ScanUnit {
  const { weights } = unit;
  if (weights === null) return unit;
  const squares = new Uint32Array(memory.buffer, scratch.squares, unit.rowCount);
  // Sample rates are small as a rule, and there is one for every row.
  const bytes =
    weights.width === 1 ? new Uint8Array(memory.buffer, weights.address, unit.rowCount) : null;
  if (bytes === null) squareCodes(reader, weights, squares);
  else for (let row = 0; row < bytes.length; row++) squares[row] = bytes[row]! * bytes[row]!;
  return { ...unit, weights: { address: scratch.squares, width: 4 } };
}

function squareCodes(reader: ColumnReader, weights: Values, squares: Uint32Array): void {
  for (let row = 0; row < squares.length; row++) {
    const weight = reader.code(weights, row);
    squares[row] = Math.min(weight * weight, u32Max);
  }
}
