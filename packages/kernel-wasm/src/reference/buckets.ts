import { logLinearBucket } from "../logLinear.js";
import type { BucketOperations } from "../operations/buckets.js";
import type { MemoryView } from "./memoryView.js";

export function referenceBuckets(view: MemoryView): BucketOperations {
  return {
    countInHistograms: (counts, spilled, groups, rows, values, base, present, _small, shape) => {
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const bucket = logLinearBucket(Number(view.value(values, row) + base), shape.subBits);
        const cell = view.groupOf(groups, k) * shape.bucketCount + bucket - shape.firstBucket;
        if (spilled === 0) view.setU32(counts + cell * 4, view.u32(counts + cell * 4) + 1);
        else countSmall(view, counts + cell * 2, spilled);
      }
    },
    bucketKeys: (keys, keyRows, groups, rows, values, base, present, shape) => {
      let found = 0;
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const bucket = logLinearBucket(Number(view.value(values, row) + base), shape.subBits);
        const group = BigInt(view.groupOf(groups, k));
        const key = group * BigInt(shape.bucketCount) + BigInt(bucket - shape.firstBucket);
        view.setU64(keys + found * 8, key);
        view.setU32(keyRows + found * 4, row);
        found++;
      }
      return found;
    },
    numberGroups: (numbers, groups, count, numberOf, groupOf, known, max) => {
      let next = known;
      for (let k = 0; k < count; k++) {
        const group = view.u32(groups + k * 4);
        if (view.u32(numberOf + group * 4) === 0) {
          if (next === max) return -1;
          view.setU32(groupOf + next * 4, group);
          next++;
          view.setU32(numberOf + group * 4, next);
        }
        view.setU32(numbers + k * 4, view.u32(numberOf + group * 4) - 1);
      }
      return next;
    },
    listBuckets: (out, histogram, counterBytes, groups, groupCount, shape) => {
      let found = 0;
      for (let i = 0; i < groupCount; i++) {
        if (found + shape.bucketCount > out.room) return i;
        const group = view.u32(groups + i * 4);
        for (let bucket = 0; bucket < shape.bucketCount; bucket++) {
          const address = histogram + (group * shape.bucketCount + bucket) * counterBytes;
          const weight = counterAt(view, address, counterBytes);
          if (weight === 0) continue;
          view.setU32(out.buckets + found * 4, (shape.firstBucket + bucket) >>> 0);
          view.setF64(out.weights + found * 8, weight);
          found++;
        }
        view.setU32(out.ends + i * 4, found);
      }
      return groupCount;
    },
  };
}

function countSmall(view: MemoryView, address: number, spilled: number): void {
  const count = view.u16(address);
  if (count < 65_535) {
    view.setU16(address, count + 1);
    return;
  }
  const known = view.u32(spilled);
  view.setU32(spilled + 4 + known * 4, address);
  view.setU32(spilled, known + 1);
  view.setU16(address, 1);
}

function counterAt(view: MemoryView, address: number, counterBytes: 2 | 4 | 8): number {
  if (counterBytes === 2) return view.u16(address);
  return counterBytes === 4 ? view.u32(address) : Number(view.u64(address));
}
