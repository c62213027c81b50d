import type { SpreadOperations } from "../../operations/aggregate/spread.js";
import type { MemoryView } from "../memoryView.js";

export function referenceSpread(view: MemoryView): SpreadOperations {
  const grow = (address: number, by: readonly number[]): void =>
    by.forEach((part, i) => {
      view.setF64(address + i * 8, view.f64(address + i * 8) + part);
    });
  return {
    addSpread(sums, groups, rows, values, base, weights, present, scale) {
      if (weights === null) return;
      // Rows whose number in the set is even, and the others.
      const own = [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ];
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const weight = Number(view.weight(weights, row));
        const value = Number(view.value(values, row) + base);
        const first = weight * (weight - 1) * scale;
        const second = first * value;
        const parts = [first, second, second * value, second * value * value];
        if (groups === 0) for (let i = 0; i < 4; i++) own[k % 2]![i]! += parts[i]!;
        else grow(sums + view.groupOf(groups, k) * 32, parts);
      }
      if (groups === 0)
        grow(
          sums,
          own[0]!.map((part, i) => part + own[1]![i]!),
        );
    },
  };
}
