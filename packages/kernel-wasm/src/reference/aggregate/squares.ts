import type { SquareOperations } from "../../operations/aggregate/squares.js";
import type { MemoryView } from "../memoryView.js";

const limb = 0xffff_ffffn;

export function referenceSquares(view: MemoryView): SquareOperations {
  const bind =
    (grow: (sums: number, group: number, square: bigint) => void): SquareOperations["addSquares"] =>
    (sums, groups, rows, values, base, weights, present) => {
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const value = view.value(values, row) + base;
        grow(sums, view.groupOf(groups, k), value * value * view.weight(weights, row));
      }
    };
  const growAt = (address: number, by: bigint) => view.setI64(address, view.i64(address) + by);
  return {
    addSquares: bind((sums, group, square) => growAt(sums + group * 8, square)),
    addWideSquares: bind((sums, group, square) => {
      for (let j = 0; j < 5; j++) {
        growAt(sums + group * 40 + j * 8, (square >> BigInt(32 * j)) & limb);
      }
    }),
  };
}
