import type { BitmapAddress, RowSet } from "../../base/addresses.js";
import { logLinearBucket } from "../../base/logLinear.js";
import type { AccumulationOperations } from "../../operations/aggregate/accumulation.js";
import type { MemoryView } from "../memoryView.js";

type Visit = (row: number, group: number) => void;

const limb = 0xffff_ffffn;

export function referenceAccumulation(view: MemoryView): AccumulationOperations {
  const eachPresent = (groups: number, rows: RowSet, present: BitmapAddress, visit: Visit) => {
    for (let k = 0; k < rows.count; k++) {
      const row = view.rowOf(rows, k);
      if (view.isPresent(present, row)) visit(row, view.groupOf(groups, k));
    }
  };
  const grow = (address: number, by: bigint) => view.setI64(address, view.i64(address) + by);
  return {
    addRows: (counts, groups, count) => {
      for (let k = 0; k < count; k++) {
        const address = counts + view.groupOf(groups, k) * 4;
        view.setU32(address, view.u32(address) + 1);
      }
    },
    addWeights: (sums, groups, rows, weights, present) =>
      eachPresent(groups, rows, present, (row, group) =>
        grow(sums + group * 8, view.weight(weights, row)),
      ),
    addProducts: (sums, groups, rows, values, base, weights, present) =>
      eachPresent(groups, rows, present, (row, group) =>
        grow(sums + group * 8, (view.value(values, row) + base) * view.weight(weights, row)),
      ),
    addWideProducts: (sums, groups, rows, values, base, weights, present) =>
      eachPresent(groups, rows, present, (row, group) => {
        const product = (view.value(values, row) + base) * view.weight(weights, row);
        grow(sums + group * 24, product & limb);
        grow(sums + group * 24 + 8, (product >> 32n) & limb);
        grow(sums + group * 24 + 16, product >> 64n);
      }),
    addMinimums: (extremes, groups, rows, values, base, present) =>
      eachPresent(groups, rows, present, (row, group) => {
        const value = view.value(values, row) + base;
        const address = extremes + group * 8;
        if (value < view.i64(address)) view.setI64(address, value);
      }),
    addMaximums: (extremes, groups, rows, values, base, present) =>
      eachPresent(groups, rows, present, (row, group) => {
        const value = view.value(values, row) + base;
        const address = extremes + group * 8;
        if (value > view.i64(address)) view.setI64(address, value);
      }),
    addToHistograms: (histogram, groups, rows, values, base, weights, present, _small, shape) => {
      const { subBits, firstBucket, bucketCount } = shape;
      eachPresent(groups, rows, present, (row, group) => {
        const bucket = logLinearBucket(view.value(values, row) + base, subBits);
        const index = group * bucketCount + bucket - firstBucket;
        grow(histogram + index * 8, view.weight(weights, row));
      });
    },
  };
}
