import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/** Where one group by column's codes come from when its values are not codes already. */
export interface GroupCodeOperations {
  /**
   * out: u32 by row (only rows of the set are written): 0 where missing, else 1 + index of the last
   * of `edges` (i64, ascending) at or below (value + base) · factor. The first edge is at or below
   * every value, and no product overflows.
   */
  bucketByEdges(
    out: number,
    values: Values,
    base: bigint,
    factor: bigint,
    present: BitmapAddress,
    rows: RowSet,
    edges: number,
    edgeCount: number,
  ): void;
  /**
   * As {@link bucketByEdges}: 1 below the origin, else firstCode + ((value + base) · factor −
   * origin) ÷ step. All buckets fit 32 bits. firstCode is 2 where the first bucket starts below
   * int64, so that only the second one has an origin.
   */
  bucketBySteps(
    out: number,
    values: Values,
    base: bigint,
    factor: bigint,
    present: BitmapAddress,
    rows: RowSet,
    origin: bigint,
    firstCode: number,
    step: bigint,
  ): void;
  /**
   * Every row of the set, from its `from`-th on, once for each item of its list: list c is items
   * [starts[c], starts[c + 1]) (u32 both). Writes the row, the item and the row's place in the set
   * (u32 each, at most `out.capacity`), how many at out.produced (u32), and stops before a row
   * whose items do not fit. Returns how many rows of the set are done.
   */
  explodeRows(
    out: ExplodedRows,
    rows: RowSet,
    codes: Values,
    starts: number,
    items: number,
    from: number,
  ): number;
}

/** Addresses of u32 arrays of `capacity`, and of one u32. */
export interface ExplodedRows {
  readonly rows: number;
  readonly items: number;
  readonly positions: number;
  readonly produced: number;
  readonly capacity: number;
}

type Bucketing = (
  ...a: [
    ...[out: number, values: number, width: number, base: bigint, factor: bigint, present: number],
    ...[start: number, count: number, rows: number],
  ]
) => void;

export interface GroupCodeExports {
  readonly bucketByEdges: (
    ...a: [...Parameters<Bucketing>, edges: number, edgeCount: number]
  ) => void;
  readonly bucketBySteps: (
    ...a: [...Parameters<Bucketing>, origin: bigint, firstCode: number, step: bigint]
  ) => void;
  readonly explodeRows: (
    ...a: [
      ...[rows: number, items: number, positions: number, produced: number, capacity: number],
      ...[start: number, count: number, listed: number, codes: number, width: number],
      ...[starts: number, items: number, from: number],
    ]
  ) => number;
}

export function groupCodeOperations(wasm: GroupCodeExports): GroupCodeOperations {
  return {
    bucketByEdges: (out, values, base, factor, present, rows, edges, edgeCount) =>
      wasm.bucketByEdges(
        ...([out, values.address, values.width, base, factor, present] as const),
        ...([rows.start, rows.count, rows.rows, edges, edgeCount] as const),
      ),
    bucketBySteps: (out, values, base, factor, present, rows, origin, firstCode, step) =>
      wasm.bucketBySteps(
        ...([out, values.address, values.width, base, factor, present] as const),
        ...([rows.start, rows.count, rows.rows, origin, firstCode, step] as const),
      ),
    explodeRows: (out, rows, codes, starts, items, from) =>
      wasm.explodeRows(
        ...([out.rows, out.items, out.positions, out.produced, out.capacity] as const),
        ...([rows.start, rows.count, rows.rows, codes.address, codes.width] as const),
        ...([starts, items, from] as const),
      ),
  };
}
