import type { Values } from "../../base/addresses.js";

/**
 * Integers that take less than their narrowest width, and how they become plain values again.
 *
 * Packed deltas, in blocks of 128 rows:
 *
 *   | head of block 0, 16 bytes | head of block 1 | … | words of block 0, 16 bytes each | words of block 1 | … |
 *   head: base i64 | smallest delta i32 | bits of a delta u8 | first word u24
 *
 * A row's value is base + the sum of (smallest delta + packed delta) over the block's rows up to
 * it. Row 4 p + lane of a block has its delta at bit p · bits of the lane's 32-bit column of the
 * block's words.
 */
export interface PackedOperations {
  /**
   * Writes the heads of `values` of width 4 or 8 (16 bytes per 128 rows, begun ones too). Returns
   * the number of words that the deltas take, or -1 when the values of a block span 2^30 or more;
   * then the heads are undefined.
   */
  measureDeltas(heads: number, values: Values, rowCount: number): number;
  /** Writes the heads and then the words of `values`, as measured. */
  packDeltas(out: number, heads: number, values: Values, rowCount: number): void;
  /**
   * out[i] = value i − base, modulo out.width, which is 4 or 8. Whole blocks are written: there is
   * room for a multiple of 128 rows, and those past rowCount are undefined.
   */
  unpackDeltas(out: Values, packed: number, rowCount: number, base: bigint): void;
  /** First index in [0, rowCount] whose value is >= bound; values ascend. */
  lowerBoundOfPacked(packed: number, rowCount: number, bound: bigint): number;
  /** The same of `count` bounds, an i64 each at `bounds`, less `base`: a u32 each at `out`. */
  lowerBoundsOfPacked(
    out: number,
    packed: number,
    rowCount: number,
    bounds: number,
    count: number,
    base: bigint,
  ): void;
}

export interface PackedExports
  extends Pick<PackedOperations, "lowerBoundOfPacked" | "lowerBoundsOfPacked"> {
  measureDeltas(heads: number, values: number, width: number, rowCount: number): number;
  packDeltas(out: number, heads: number, values: number, width: number, rowCount: number): void;
  unpackDeltas(out: number, width: number, packed: number, rowCount: number, base: bigint): void;
}

export function packedOperations(wasm: PackedExports): PackedOperations {
  return {
    measureDeltas: (heads, values, rowCount) =>
      wasm.measureDeltas(heads, values.address, values.width, rowCount),
    packDeltas: (out, heads, values, rowCount) =>
      wasm.packDeltas(out, heads, values.address, values.width, rowCount),
    unpackDeltas: (out, packed, rowCount, base) =>
      wasm.unpackDeltas(out.address, out.width, packed, rowCount, base),
    lowerBoundOfPacked: (packed, rowCount, bound) =>
      wasm.lowerBoundOfPacked(packed, rowCount, bound) >>> 0,
    lowerBoundsOfPacked: (out, packed, rowCount, bounds, count, base) =>
      wasm.lowerBoundsOfPacked(out, packed, rowCount, bounds, count, base),
  };
}
