import type { BitmapAddress, RowSet, Values } from "../../base/addresses.js";

/**
 * The sums from which the error of an estimate from sample rates is computed. Arguments as in the
 * accumulating operations of the contract.
 */
export interface SpreadOperations {
  /**
   * sums: four f64 per group (adjacent), += w(w−1)xⁿ for n = 0 to 3, each times `scale`, of the
   * weight w and the value x = value + base. Rounded as doubles are; without groups the even rows
   * of the set and the odd ones are added up first, each apart. Without weights nothing is added.
   */
  addSpread(
    sums: number,
    groups: number,
    rows: RowSet,
    values: Values,
    base: bigint,
    weights: Values | null,
    present: BitmapAddress,
    scale: number,
  ): void;
}

export interface SpreadExports {
  addSpread(
    ...a: [
      ...[sums: number, groups: number, start: number, count: number, rows: number],
      ...[values: number, width: number, base: bigint, weights: number, weightWidth: number],
      ...[present: number, scale: number],
    ]
  ): void;
}

export function spreadOperations(wasm: SpreadExports): SpreadOperations {
  return {
    addSpread: (sums, groups, rows, values, base, weights, present, scale) =>
      wasm.addSpread(
        ...([sums, groups, rows.start, rows.count, rows.rows] as const),
        ...([values.address, values.width, base] as const),
        ...([weights?.address ?? 0, weights?.width ?? 0, present, scale] as const),
      ),
  };
}
