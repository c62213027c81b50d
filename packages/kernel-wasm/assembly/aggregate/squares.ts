// Sums of value² · weight per group, for the standard deviation.
import { bitOf } from "../base/bitset";
import { checkWeightWidth, rowAt, U24, valueAt, weightOfWidth, Zero } from "../base/lanes";

export function addSquares(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize,
): void {
  checkWeightWidth(weightWidth);
  switch (width) {
    case 0: return squares<Zero>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 1: return squares<u8>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 2: return squares<u16>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 3: return squares<U24>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 4: return squares<u32>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 8: return squares<i64>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    default: unreachable();
  }
}

export function addWideSquares(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize,
): void {
  checkWeightWidth(weightWidth);
  switch (width) {
    case 0: return wideSquares<Zero>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 1: return wideSquares<u8>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 2: return wideSquares<u16>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 3: return wideSquares<U24>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 4: return wideSquares<u32>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 8: return wideSquares<i64>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    default: unreachable();
  }
}

function squares<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize,
): void {
  if (groups == 0) {
    const sum = sumOfSquares<T>(start, count, rows, values, base, weights, weightWidth, present);
    store<i64>(sums, load<i64>(sums) + sum);
    return;
  }
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    const at = sums + (load<u32>(groups + (k << 2)) << 3);
    store<i64>(at, load<i64>(at) + value * value * weightOfWidth(weights, weightWidth, row));
  }
}

@inline
function sumOfSquares<T>(
  start: u32, count: u32, rows: usize, values: usize, base: i64, weights: usize, weightWidth: u32,
  present: usize,
): i64 {
  let sum: i64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    sum += value * value * weightOfWidth(weights, weightWidth, row);
  }
  return sum;
}

/** Five limbs of 32 bits, each summed in an i64: 2^126 · 2^32 has 158 bits. */
function wideSquares<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    // |i64 min| is 2^63, which fits the unsigned type.
    const magnitude = <u64>(value < 0 ? -value : value);
    const low = magnitude & 0xffffffff;
    const high = magnitude >> 32;
    // The square as four limbs, s3 s2 s1 s0.
    const lowSquare = low * low;
    const cross = low * high;
    const highSquare = high * high;
    const s0 = lowSquare & 0xffffffff;
    const middle = (lowSquare >> 32) + ((cross & 0x7fffffff) << 1);
    const s1 = middle & 0xffffffff;
    const upper = (middle >> 32) + (cross >> 31) + (highSquare & 0xffffffff);
    const s2 = upper & 0xffffffff;
    const s3 = (upper >> 32) + (highSquare >> 32);
    const weight = <u64>weightOfWidth(weights, weightWidth, row);
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    const at = sums + group * 40;
    let carry = s0 * weight;
    store<u64>(at, load<u64>(at) + (carry & 0xffffffff));
    carry = (carry >> 32) + s1 * weight;
    store<u64>(at, load<u64>(at, 8) + (carry & 0xffffffff), 8);
    carry = (carry >> 32) + s2 * weight;
    store<u64>(at, load<u64>(at, 16) + (carry & 0xffffffff), 16);
    carry = (carry >> 32) + s3 * weight;
    store<u64>(at, load<u64>(at, 24) + (carry & 0xffffffff), 24);
    store<u64>(at, load<u64>(at, 32) + (carry >> 32), 32);
  }
}
