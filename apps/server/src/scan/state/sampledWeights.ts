import type { RowSet, Values } from "@hadal/kernel-wasm";
import type { ColumnReader } from "../../column/readColumn.js";
import type { Scratch } from "../memory/scratch.js";
import { rowsFrom } from "../memory/selection.js";
import type { AddedUnit } from "../task/scanTask.js";

/** Rows of a segment from which the error of one group is estimated: as good as all. */
const spreadRowsWanted = 1_024;
/** The sample has this many pieces, evenly spread. */
const spreadPieces = 64;
const u32Max = 2 ** 32 - 1;

/**
 * The rows from which an error is estimated, and the weight of each. With several groups all rows,
 * because a small group needs each of its own. Else pieces spread over the rows, at other places in
 * each segment, as selected rows may be neighbours.
 */
export function spreadParts(
  rows: RowSet,
  /** How many of them count. */
  selectedCount: number,
  groups: number,
  seed: number,
): { readonly parts: readonly RowSet[]; readonly scale: number } {
  const stride = groups === 0 ? Math.floor(selectedCount / spreadRowsWanted) : 1;
  if (stride < 2) return { parts: [rows], scale: 1 };
  const pieceRows = Math.ceil(rows.count / (spreadPieces * stride));
  const parts: RowSet[] = [];
  for (let first = (seed % stride) * pieceRows; first < rows.count; first += stride * pieceRows) {
    const count = Math.min(pieceRows, rows.count - first);
    parts.push(rowsFrom(rows, first, count));
  }
  return { parts, scale: stride };
}

/**
 * The unit with every row weighted by the square of its weight; what does not fit 32 bits stays the
 * largest that does, which the root recognizes.
 */
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
  unit: AddedUnit,
): AddedUnit {
  const { weights } = unit;
  if (weights === null) return unit;
  const squares = new Uint32Array(memory.buffer, scratch.squares, unit.rowCount);
  // Sample rates are mostly small, and there is one for every row.
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
