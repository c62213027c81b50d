import { logLinearBucket } from "../../base/logLinear.js";
import type { BucketOperations } from "../../operations/aggregate/buckets.js";
import type { MemoryView } from "../memoryView.js";

export function referenceBuckets(view: MemoryView): BucketOperations {
  return {
    countInHistograms: (
      ...[counts, counterBytes, spilled, groups, rows, values, base, present, _small, shape]
    ) => {
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const bucket = logLinearBucket(view.value(values, row) + base, shape.subBits);
        const cell = view.groupOf(groups, k) * shape.bucketCount + bucket - shape.firstBucket;
        if (counterBytes === 4) view.setU32(counts + cell * 4, view.u32(counts + cell * 4) + 1);
        else countSmall(view, counts + cell * counterBytes, counterBytes, spilled);
      }
    },
    bucketKeys: (keys, keyRows, groups, rows, values, base, present, shape) => {
      let found = 0;
      for (let k = 0; k < rows.count; k++) {
        const row = view.rowOf(rows, k);
        if (!view.isPresent(present, row)) continue;
        const bucket = logLinearBucket(view.value(values, row) + base, shape.subBits);
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
    measureBuckets: (out, histogram, counterBytes, groups, groupCount, bucketCount) => {
      for (let i = 0; i < groupCount; i++) {
        const start = view.u32(groups + i * 4) * bucketCount;
        const counters = Array.from({ length: bucketCount }, (_, bucket) =>
          counterAt(view, histogram + (start + bucket) * counterBytes, counterBytes),
        );
        view.setU32(
          out + i * 16,
          Math.max(
            0,
            counters.findIndex((counter) => counter !== 0),
          ),
        );
        view.setU32(out + i * 16 + 4, counters.findLastIndex((counter) => counter !== 0) + 1);
        view.setF64(
          out + i * 16 + 8,
          counters.reduce((sum, counter) => sum + counter, 0),
        );
      }
    },
    countFilled: (bits, counters, count) => {
      const all = Array.from({ length: count }, (_, i) => view.u64(counters + i * 8));
      view.setU64(
        bits,
        all.reduce((before, counter) => before | counter, 0n),
      );
      return all.filter((counter) => counter !== 0n).length;
    },
    packBuckets: (buckets, weights, weightBytes, counters, count, firstBucket) => {
      let found = 0;
      for (let i = 0; i < count; i++) {
        const counter = view.u64(counters + i * 8);
        if (counter === 0n) continue;
        view.setU16(buckets + found * 2, (firstBucket + i) & 0xffff);
        const weight = { address: weights, width: weightBytes } as const;
        if (weightBytes === 8) view.setF64(weights + found * 8, Number(counter));
        else view.setValue(weight, found, counter);
        found++;
      }
    },
  };
}

function countSmall(view: MemoryView, address: number, bytes: 1 | 2, spilled: number): void {
  const count = counterAt(view, address, bytes);
  if (count < 2 ** (8 * bytes) - 1) {
    setSmall(view, address, bytes, count + 1);
    return;
  }
  const known = view.u32(spilled);
  view.setU32(spilled + 4 + known * 4, address);
  view.setU32(spilled, known + 1);
  setSmall(view, address, bytes, 1);
}

function setSmall(view: MemoryView, address: number, bytes: 1 | 2, count: number): void {
  if (bytes === 1) view.setByte(address, count);
  else view.setU16(address, count);
}

function counterAt(view: MemoryView, address: number, counterBytes: 1 | 2 | 4 | 8): number {
  if (counterBytes === 1) return view.byte(address);
  if (counterBytes === 2) return view.u16(address);
  return counterBytes === 4 ? view.u32(address) : Number(view.u64(address));
}
