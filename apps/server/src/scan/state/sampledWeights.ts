import type { RowSet, Values } from "@hadal/kernel-wasm";
import type { ColumnReader } from "../../column/readColumn.js";
import type { Scratch } from "../memory/scratch.js";
import { rowsFrom } from "../memory/selection.js";
import type { AddedUnit } from "../task/scanTask.js";

/** An error is itself an estimate: for one group so many rows of a segment are as good as all. */
const spreadRowsWanted = 1_024;
/** In so many pieces: rows that lie together, and are many enough to be sampled, fill some of the places between two. */
const spreadPieces = 64;
const u32Max = 2 ** 32 - 1;

/**
 * Which of the rows to estimate an error from, and how many each of them stands for. Where groups share the rows, all:
 * a small group has none to spare. Else pieces all over them, others in each segment: what passes may lie together.
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

/** The unit with every row weighted by the square of its weight; what does not fit 32 bits stays the largest that does, which the root recognizes. */
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
