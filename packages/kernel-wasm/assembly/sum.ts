// The ungrouped sum of value · weight over neighbouring rows, in SIMD lanes.
import { bitOf, laneMask4 } from "./bitset";
import { load4, valueAt, weightAt } from "./lanes";

/** T and W void: every value (weight) is 1. */
@inline
export function sumOfRun<T, W>(
  start: u32, count: u32, values: usize, weights: usize, present: usize,
): i64 {
  if (isVoid<W>()) {
    if (present == 0) {
      if (isVoid<T>()) {
        return count;
      } else if (sizeof<T>() <= 2) {
        return sumOfShort<T>(values + start * <u32>sizeof<T>(), count);
      }
    }
  }
  const end = start + count;
  let row = start;
  let sum: i64 = 0;
  if (present) {
    const aligned = min((start + 3) & ~3, end);
    sum += sumOfRows<T, W>(true, row, aligned, values, weights, present);
    row = aligned;
    const whole = row + ((end - row) & ~3);
    sum += sumOfLanes<T, W>(true, row, whole, values, weights, present);
    return sum + sumOfRows<T, W>(true, whole, end, values, weights, present);
  }
  const whole = row + ((end - row) & ~3);
  sum += sumOfLanes<T, W>(false, row, whole, values, weights, present);
  return sum + sumOfRows<T, W>(false, whole, end, values, weights, present);
}

@inline
function sumOfRows<T, W>(
  masked: bool, from: u32, to: u32, values: usize, weights: usize, present: usize,
): i64 {
  let sum: i64 = 0;
  for (let row = from; row < to; row++) {
    const product = valueAt<T>(values, row) * weightAt<W>(weights, row);
    sum += masked ? product & -(<i64>bitOf(present, row)) : product;
  }
  return sum;
}

@inline
function isWide<T>(): bool {
  if (isVoid<T>()) {
    return false;
  } else {
    return sizeof<T>() == 8;
  }
}

/** Rows from to to - 1, a multiple of four of them; masked: from is a multiple of four too. */
@inline
function sumOfLanes<T, W>(
  masked: bool, from: u32, to: u32, values: usize, weights: usize, present: usize,
): i64 {
  if (isWide<T>()) {
    return sumOfRows<T, W>(masked, from, to, values, weights, present);
  } else {
    let low = i64x2.splat(0);
    let high = i64x2.splat(0);
    const one = i32x4.splat(1);
    for (let row = from; row < to; row += 4) {
      let factor = load4<T>(values, row);
      if (masked) factor = v128.and(factor, laneMask4(present, row));
      if (isVoid<W>()) {
        low = i64x2.add(low, i64x2.extend_low_i32x4_u(factor));
        high = i64x2.add(high, i64x2.extend_high_i32x4_u(factor));
      } else {
        const weight = i32x4.max_u(load4<W>(weights, row), one);
        low = i64x2.add(low, i64x2.extmul_low_i32x4_u(factor, weight));
        high = i64x2.add(high, i64x2.extmul_high_i32x4_u(factor, weight));
      }
    }
    return sumOfPair(i64x2.add(low, high));
  }
}

@inline
function sumOfPair(lanes: v128): i64 {
  return i64x2.extract_lane(lanes, 0) + i64x2.extract_lane(lanes, 1);
}

/** Unweighted u8 or u16, 16 bytes a step. */
function sumOfShort<T>(at: usize, count: u32): i64 {
  const perStep: u32 = sizeof<T>() == 1 ? 16 : 8;
  // A step adds at most 131,070 to a u32 lane: it is emptied before it could overflow.
  const stepsMax: u32 = 16384;
  let sum: i64 = 0;
  while (count >= perStep) {
    let lanes = i32x4.splat(0);
    const steps = min(count / perStep, stepsMax);
    count -= steps * perStep;
    for (let i: u32 = 0; i < steps; i++) {
      const values = v128.load(at);
      at += 16;
      if (sizeof<T>() == 1) {
        lanes = i32x4.add(lanes, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(values)));
      } else {
        lanes = i32x4.add(lanes, i32x4.extadd_pairwise_i16x8_u(values));
      }
    }
    sum += sumOfPair(i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes)));
  }
  for (let i: u32 = 0; i < count; i++) sum += <i64>load<T>(at + i * sizeof<T>());
  return sum;
}
