// The ungrouped sum of value · weight over neighbouring rows, in SIMD lanes.
import { bitOf, countOfRun } from "./bitset";
import { isZero, load4, strideOf, valueAt, weightAt } from "./lanes";

/** T and W void: every value (weight) is 1. */
@inline
export function sumOfRun<T, W>(
  start: u32, count: u32, values: usize, weights: usize, present: usize,
): i64 {
  if (isVoid<W>()) {
    if (isVoid<T>()) {
      return present ? countOfRun(present, start, start + count) : count;
    } else if (isShort<T>()) {
      if (present == 0) {
        return sumOfShort<T>(values + start * <u32>sizeof<T>(), count);
      }
    }
  }
  if (isZero<T>()) return 0;
  return present
    ? sumOfEights<T, W>(true, start, start + count, values, weights, present)
    : sumOfEights<T, W>(false, start, start + count, values, weights, present);
}

/** Eight rows a step, so that a step's presence is one byte of the bitmap; the ends row by row. */
@inline
function sumOfEights<T, W>(
  masked: bool, start: u32, end: u32, values: usize, weights: usize, present: usize,
): i64 {
  const first = min((start + 7) & ~7, end);
  const whole = first + ((end - first) & ~7);
  let sum = sumOfRows<T, W>(masked, start, first, values, weights, present);
  if (isWide<T>()) {
    sum += sumOfRows<T, W>(masked, first, whole, values, weights, present);
  } else if (isShort<T>() && isShort<W>()) {
    sum += sumOfShorts<T, W>(masked, first, whole, values, weights, present);
  } else if (isThree<T>() && isVoid<W>()) {
    sum += sumOfThrees<T>(masked, first, whole, values, present);
  } else {
    sum += sumOfLanes<T, W>(masked, first, whole, values, weights, present);
  }
  return sum + sumOfRows<T, W>(masked, whole, end, values, weights, present);
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
    return strideOf<T>() == 8;
  }
}

/** Whether eight of them fit a register of 16-bit lanes. */
@inline
function isShort<T>(): bool {
  if (isVoid<T>()) {
    return true;
  } else {
    return strideOf<T>() == 1 || strideOf<T>() == 2;
  }
}

@inline
function isThree<T>(): bool {
  if (isVoid<T>()) {
    return false;
  } else {
    return strideOf<T>() == 3;
  }
}

@inline
function short8<T>(values: usize, row: u32): v128 {
  if (isVoid<T>()) {
    return i16x8.splat(1);
  } else if (sizeof<T>() == 1) {
    return v128.load8x8_u(values + row);
  } else {
    return v128.load(values + (row << 1));
  }
}

/** All ones in lane j where bit j of the byte is set. */
@inline
function shortMask8(bits: u32): v128 {
  const lanes = i16x8(1, 2, 4, 8, 16, 32, 64, 128);
  return i16x8.eq(v128.and(i16x8.splat(<i16>bits), lanes), lanes);
}

/** A step adds at most 131,070 to a lane of 32 bits: they are emptied after so many rows, before they could overflow. */
const ROWS_OF_SHORTS: u32 = 65536;

/** Rows from to to - 1, multiples of eight; values and weights of at most 16 bits. */
@inline
function sumOfShorts<T, W>(
  masked: bool, from: u32, to: u32, values: usize, weights: usize, present: usize,
): i64 {
  const lowHalf = i32x4.splat(0xffff);
  const one = i16x8.splat(1);
  let sum: i64 = 0;
  for (let row = from; row < to; ) {
    const end = min(to, row + ROWS_OF_SHORTS);
    let low = i32x4.splat(0);
    let high = i32x4.splat(0);
    for (; row < end; row += 8) {
      let value = short8<T>(values, row);
      if (masked) value = v128.and(value, shortMask8(load<u8>(present + (row >> 3))));
      if (isVoid<W>()) {
        low = i32x4.add(low, i32x4.extadd_pairwise_i16x8_u(value));
      } else {
        // A product has 32 bits: its halves are added up apart.
        const weight = i16x8.max_u(short8<W>(weights, row), one);
        const first = i32x4.extmul_low_i16x8_u(value, weight);
        const second = i32x4.extmul_high_i16x8_u(value, weight);
        low = i32x4.add(low, i32x4.add(v128.and(first, lowHalf), v128.and(second, lowHalf)));
        high = i32x4.add(high, i32x4.add(i32x4.shr_u(first, 16), i32x4.shr_u(second, 16)));
      }
    }
    sum += sumOfFour(low) + (sumOfFour(high) << 16);
  }
  return sum;
}

/** All ones in lane j where bit shift + j of the byte is set. */
@inline
function laneMaskOf(bits: v128, shift: i32): v128 {
  const lanes = shift == 0 ? i32x4(1, 2, 4, 8) : i32x4(16, 32, 64, 128);
  return i32x4.eq(v128.and(bits, lanes), lanes);
}

/** A step adds two values of 24 bits to a lane of 32: it is emptied after so many rows, before it could overflow. */
const ROWS_OF_THREES: u32 = 512;

/** Rows from to to - 1, multiples of eight; values of three bytes. */
@inline
function sumOfThrees<T>(masked: bool, from: u32, to: u32, values: usize, present: usize): i64 {
  let sums = i64x2.splat(0);
  for (let row = from; row < to; ) {
    const end = min(to, row + ROWS_OF_THREES);
    let lanes = i32x4.splat(0);
    for (; row < end; row += 8) {
      let first = load4<T>(values, row);
      let second = load4<T>(values, row + 4);
      if (masked) {
        const bits = i32x4.splat(load<u8>(present + (row >> 3)));
        first = v128.and(first, laneMaskOf(bits, 0));
        second = v128.and(second, laneMaskOf(bits, 4));
      }
      lanes = i32x4.add(lanes, i32x4.add(first, second));
    }
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes)));
  }
  return sumOfPair(sums);
}

/** Rows from to to - 1, multiples of eight. */
@inline
function sumOfLanes<T, W>(
  masked: bool, from: u32, to: u32, values: usize, weights: usize, present: usize,
): i64 {
  let low = i64x2.splat(0);
  let high = i64x2.splat(0);
  const one = i32x4.splat(1);
  for (let row = from; row < to; row += 8) {
    let first = load4<T>(values, row);
    let second = load4<T>(values, row + 4);
    if (masked) {
      const bits = i32x4.splat(load<u8>(present + (row >> 3)));
      first = v128.and(first, laneMaskOf(bits, 0));
      second = v128.and(second, laneMaskOf(bits, 4));
    }
    if (isVoid<W>()) {
      low = i64x2.add(low, i64x2.add(i64x2.extend_low_i32x4_u(first), i64x2.extend_low_i32x4_u(second)));
      high = i64x2.add(high, i64x2.add(i64x2.extend_high_i32x4_u(first), i64x2.extend_high_i32x4_u(second)));
    } else {
      const firstWeight = i32x4.max_u(load4<W>(weights, row), one);
      const secondWeight = i32x4.max_u(load4<W>(weights, row + 4), one);
      low = i64x2.add(low, i64x2.extmul_low_i32x4_u(first, firstWeight));
      high = i64x2.add(high, i64x2.extmul_high_i32x4_u(first, firstWeight));
      low = i64x2.add(low, i64x2.extmul_low_i32x4_u(second, secondWeight));
      high = i64x2.add(high, i64x2.extmul_high_i32x4_u(second, secondWeight));
    }
  }
  return sumOfPair(i64x2.add(low, high));
}

@inline
function sumOfFour(lanes: v128): i64 {
  return sumOfPair(i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes)));
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
    sum += sumOfFour(lanes);
  }
  for (let i: u32 = 0; i < count; i++) sum += <i64>load<T>(at + i * sizeof<T>());
  return sum;
}
