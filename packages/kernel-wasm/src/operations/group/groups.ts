import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/**
 * A column's part in the group of each row: in a group id (u32), or in a key (u64) where ids would
 * not fit.
 */
export interface GroupOperations {
  // ---- group ids: u32 per row of the row set, in its order ----

  /** out[k] = 0. */
  clearGroups(out: number, count: number): void;
  /** out[k] += value(row k) · stride, modulo 2^32. */
  addCodeGroups(out: number, values: Values, rows: RowSet, stride: number): void;
  /**
   * out[k] += (present ? value − base + 1 : 0) · stride. `present` 0: all are. base is signed for
   * width 8 and unsigned below; value − base fits 31 bits.
   */
  addIntGroups(
    out: number,
    values: Values,
    present: BitmapAddress,
    rows: RowSet,
    base: bigint,
    stride: number,
  ): void;
  /**
   * out[k] += index of the edge interval that holds the value, · stride. `edges`: edgeCount
   * ascending i64; edge[0] <= value + base < edge[edgeCount-1] for all rows; values (narrow ones
   * unsigned) may be in any order.
   */
  addEdgeGroups(
    out: number,
    values: Values,
    base: bigint,
    rows: RowSet,
    edges: number,
    edgeCount: number,
    stride: number,
  ): void;

  // ---- keys: u64 per row, for hashKeys ----

  /** keys[k] = 0 (u64). */
  clearKeys(keys: number, count: number): void;
  /**
   * keys[k] = keys[k] · multiplier + component (see the add…Groups of the same name, but value −
   * base may take 64 bits); all modulo 2^64.
   */
  addCodeKeys(keys: number, values: Values, rows: RowSet, multiplier: bigint): void;
  addIntKeys(
    keys: number,
    values: Values,
    present: BitmapAddress,
    rows: RowSet,
    base: bigint,
    multiplier: bigint,
  ): void;
  addEdgeKeys(
    keys: number,
    values: Values,
    base: bigint,
    rows: RowSet,
    edges: number,
    edgeCount: number,
    multiplier: bigint,
  ): void;
}

export interface GroupExports extends Pick<GroupOperations, "clearGroups" | "clearKeys"> {
  addCodeGroups(...a: [out: number, ...Column, ...Rows, stride: number]): void;
  addCodeKeys(...a: [keys: number, ...Column, ...Rows, multiplier: bigint]): void;
  addIntGroups(
    ...a: [out: number, ...Column, BitmapAddress, ...Rows, base: bigint, stride: number]
  ): void;
  addIntKeys(
    ...a: [keys: number, ...Column, BitmapAddress, ...Rows, base: bigint, multiplier: bigint]
  ): void;
  addEdgeGroups(
    ...a: [out: number, ...Column, base: bigint, ...Rows, ...Edges, stride: number]
  ): void;
  addEdgeKeys(
    ...a: [keys: number, ...Column, base: bigint, ...Rows, ...Edges, multiplier: bigint]
  ): void;
}

type Column = [address: number, width: number];
type Rows = [start: number, count: number, rows: number];
type Edges = [edges: number, edgeCount: number];

export function groupOperations(wasm: GroupExports): GroupOperations {
  return {
    clearGroups: wasm.clearGroups,
    addCodeGroups: (out, values, { start, count, rows }, stride) =>
      wasm.addCodeGroups(out, values.address, values.width, start, count, rows, stride),
    addIntGroups: (out, values, present, { start, count, rows }, base, stride) =>
      wasm.addIntGroups(
        ...([out, values.address, values.width, present, start, count, rows, base] as const),
        stride,
      ),
    addEdgeGroups: (out, values, base, { start, count, rows }, edges, edgeCount, stride) =>
      wasm.addEdgeGroups(
        ...([out, values.address, values.width, base, start, count, rows] as const),
        ...([edges, edgeCount, stride] as const),
      ),
    clearKeys: wasm.clearKeys,
    addCodeKeys: (keys, values, { start, count, rows }, multiplier) =>
      wasm.addCodeKeys(keys, values.address, values.width, start, count, rows, multiplier),
    addIntKeys: (keys, values, present, { start, count, rows }, base, multiplier) =>
      wasm.addIntKeys(
        ...([keys, values.address, values.width, present, start, count, rows, base] as const),
        multiplier,
      ),
    addEdgeKeys: (keys, values, base, { start, count, rows }, edges, edgeCount, multiplier) =>
      wasm.addEdgeKeys(
        ...([keys, values.address, values.width, base, start, count, rows] as const),
        ...([edges, edgeCount, multiplier] as const),
      ),
  };
}
