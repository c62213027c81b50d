import type { OrderOperations } from "../../operations/seal/order.js";
import type { MemoryView } from "../memoryView.js";

const i64Min = -(2n ** 63n);
const i64Max = 2n ** 63n - 1n;

export function referenceOrder(view: MemoryView): OrderOperations {
  const sourceOf = (order: number, i: number): number =>
    order === 0 ? i : view.u32(order + i * 4);
  return {
    sortByTime: (order, offsets, times, rowCount, lowest, highest) => {
      const timeOf = Array.from({ length: rowCount }, (_, row) => view.i64(times + row * 8));
      const rows = timeOf.map((_, row) => row);
      rows.sort((a, b) => compare(timeOf[a]!, timeOf[b]!));
      for (const [i, row] of rows.entries()) view.setU32(order + i * 4, row);
      if (highest - lowest < 2n ** 32n) {
        for (const [i, row] of rows.entries())
          view.setU32(offsets + i * 4, Number(timeOf[row]! - lowest));
      }
      return rows.every((row, i) => row === i) ? 1 : 0;
    },
    permuteInts: (out, values, present, order, rowCount, base) => {
      for (let i = 0; i < rowCount; i++) {
        const row = sourceOf(order, i);
        const isPresent = view.isPresent(present, row);
        view.setValue(out, i, isPresent ? view.value(values, row) - base : 0n);
      }
    },
    permuteCodes: (out, codes, order, rowCount) => {
      for (let i = 0; i < rowCount; i++) {
        view.setValue(out, i, BigInt(view.u32(codes + sourceOf(order, i) * 4)));
      }
    },
    permuteBits: (out, bitmap, order, rowCount) =>
      view.writeBits(out, rowCount, (i) => view.bit(bitmap, sourceOf(order, i))),
    findRange: (out, values, present, rowCount) => {
      let lowest = i64Max;
      let highest = i64Min;
      for (let row = 0; row < rowCount; row++) {
        if (!view.isPresent(present, row)) continue;
        const value = view.i64(values + row * 8);
        if (value < lowest) lowest = value;
        if (value > highest) highest = value;
      }
      view.setI64(out, lowest);
      view.setI64(out + 8, highest);
    },
    takeTimes: (out, times, rowCount) => {
      const all = Array.from({ length: rowCount }, (_, row) => view.f64(times + row * 8));
      for (const [row, time] of all.entries()) view.setI64(times + row * 8, BigInt(time));
      view.setF64(out, Math.min(...all));
      view.setF64(out + 8, Math.max(...all));
    },
  };
}

function compare(a: bigint, b: bigint): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
