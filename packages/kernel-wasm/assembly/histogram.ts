// Log-linear histograms per group; the buckets are those of src/logLinear.ts.
import { bitOf } from "./bitset";
import { rowAt, valueAt, weightAt } from "./lanes";

export function addToHistograms(
  histogram: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize, subBits: u32, firstBucket: i32,
  bucketCount: u32,
): void {
  switch (width) {
    case 1: return histogramsOf<u8>(histogram, groups, start, count, rows, values, base, weights, weightWidth, present, subBits, firstBucket, bucketCount);
    case 2: return histogramsOf<u16>(histogram, groups, start, count, rows, values, base, weights, weightWidth, present, subBits, firstBucket, bucketCount);
    case 4: return histogramsOf<u32>(histogram, groups, start, count, rows, values, base, weights, weightWidth, present, subBits, firstBucket, bucketCount);
    case 8: return histogramsOf<i64>(histogram, groups, start, count, rows, values, base, weights, weightWidth, present, subBits, firstBucket, bucketCount);
    default: unreachable();
  }
}

@inline
function histogramsOf<T>(
  histogram: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize, subBits: u32, firstBucket: i32,
  bucketCount: u32,
): void {
  switch (weightWidth) {
    case 0: return histograms<T, void>(histogram, groups, start, count, rows, values, base, weights, present, subBits, firstBucket, bucketCount);
    case 1: return histograms<T, u8>(histogram, groups, start, count, rows, values, base, weights, present, subBits, firstBucket, bucketCount);
    case 2: return histograms<T, u16>(histogram, groups, start, count, rows, values, base, weights, present, subBits, firstBucket, bucketCount);
    case 4: return histograms<T, u32>(histogram, groups, start, count, rows, values, base, weights, present, subBits, firstBucket, bucketCount);
    default: unreachable();
  }
}

function histograms<T, W>(
  histogram: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, present: usize, subBits: u32, firstBucket: i32, bucketCount: u32,
): void {
  // Bucket b of the histogram's start stands for b - firstBucket: one subtraction for all rows.
  const origin = histogram - (firstBucket << 3);
  const groupBytes = bucketCount << 3;
  if (groups) {
    if (rows) fill<T, W>(true, true, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
    else fill<T, W>(true, false, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
  } else {
    if (rows) fill<T, W>(false, true, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
    else fill<T, W>(false, false, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
  }
}

@inline
function fill<T, W>(
  isGrouped: bool, listed: bool, origin: usize, groups: usize, start: u32, count: u32, rows: usize,
  values: usize, base: i64, weights: usize, present: usize, subBits: u32, groupBytes: u32,
): void {
  const shift = <u64>(52 - subBits);
  const firstOctave = (1023 << subBits) - 1;
  for (let k: u32 = 0; k < count; k++) {
    const row = rowAt(listed, rows, start, k);
    // Whether there is a bitmap is the same for all rows: predicted, so it needs no loop of its own.
    if (present && !bitOf(present, row)) continue;
    const bucket = bucketOf(base + valueAt<T>(values, row), shift, firstOctave);
    let at = origin + (bucket << 3);
    if (isGrouped) at += load<u32>(groups + (k << 2)) * groupBytes;
    store<i64>(at, load<i64>(at) + weightAt<W>(weights, row));
  }
}

/** The exponent and the first subBits of the fraction, counted from those of 1. */
@inline
function bucketOf(value: i64, shift: u64, firstOctave: i32): i32 {
  const bits = reinterpret<u64>(f64.abs(<f64>value));
  const bucket = <i32>(bits >> shift) - firstOctave;
  // Only 0 has a bucket below 1 here.
  const magnitude = max(bucket, 0);
  return value < 0 ? -magnitude : magnitude;
}
