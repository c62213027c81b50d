import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/**
 * Sums of squares, for the standard deviation. Arguments as in the accumulating operations of the
 * contract.
 */
export interface SquareOperations {
  /** sums: i64 per group, += (value + base)² · weight. The caller knows that it cannot overflow. */
  addSquares(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
  /**
   * sums: five i64 limbs per group (adjacent), limb j += (((value + base)² · weight) >> 32 j) &
   * 0xffffffff; exact for any i64 value and u32 weight.
   */
  addWideSquares(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
  ): void;
}

type Flat = (
  ...a: [
    ...[sums: number, groups: number, start: number, count: number, rows: number],
    ...[values: number, width: number, base: bigint, weights: number, weightWidth: number],
    present: number,
  ]
) => void;

export interface SquareExports {
  readonly addSquares: Flat;
  readonly addWideSquares: Flat;
}

export function squareOperations(wasm: SquareExports): SquareOperations {
  const bind =
    (flat: Flat): SquareOperations["addSquares"] =>
    (sums, groups, rows, values, base, weights, present) =>
      flat(
        ...([sums, groups, rows.start, rows.count, rows.rows] as const),
        ...([values.address, values.width, base] as const),
        ...([weights?.address ?? 0, weights?.width ?? 0, present] as const),
      );
  return { addSquares: bind(wasm.addSquares), addWideSquares: bind(wasm.addWideSquares) };
}
