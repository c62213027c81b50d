import type { SpreadOperations } from "../operations/spread.js";
import type { MemoryView } from "./memoryView.js";

export function referenceSpread(view: MemoryView): SpreadOperations {
  const grow = (address: number, by: readonly number[]): void =>
    by.forEach((part, i) => {
      view.setF64(address + i * 8, view.f64(address + i * 8) + part);
    });
  return {
    addSpread(sums, groups, rows, values, base, weights, present, scale) {
      const own = [0, 0, 0];
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const weight = Number(view.weight(weights, row));
        const value = Number(view.value(values, row) + base);
        const first = weight * (weight - 1) * scale;
        const parts = [first, first * value, first * value * value];
        if (groups === 0) for (let i = 0; i < 3; i++) own[i]! += parts[i]!;
        else grow(sums + view.groupOf(groups, k) * 24, parts);
      }
      if (groups === 0) grow(sums, own);
    },
  };
}
