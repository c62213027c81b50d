// The ungrouped sum of (value + base) · weight over neighbouring rows, in SIMD lanes.
import { bitOf, countOfRun } from "../base/bitset";
import { sumOfByteWeights } from "./byteWeights";
import {
  isZero, laneMaskOf, load4, presence8, presence16, short8, shortMaskOf, strideOf, valueAt, weightAt,
} from "../base/lanes";

/** T and W void: every value (weight) is 1. */
@inline
export function sumOfRun<T, W>(
  start: u32, count: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  if (isVoid<W>()) {
    if (isVoid<T>()) return weightOfRun<W>(start, count, 0, present);
    if (isShort<T>()) {
      if (present == 0) return sumOfShort<T>(values + start * <u32>strideOf<T>(), count) + base * <i64>count;
    }
  }
  if (isZero<T>()) return base == 0 ? 0 : base * weightOfRun<W>(start, count, weights, present);
  return present
    ? sumOfEights<T, W>(true, start, start + count, values, base, weights, present)
    : sumOfEights<T, W>(false, start, start + count, values, base, weights, present);
}

@inline
function weightOfRun<W>(start: u32, count: u32, weights: usize, present: usize): i64 {
  if (isVoid<W>()) {
    return present ? countOfRun(present, start, start + count) : count;
  } else {
    return present
      ? sumOfEights<void, W>(true, start, start + count, 0, 0, weights, present)
      : sumOfEights<void, W>(false, start, start + count, 0, 0, weights, present);
  }
}

/** Eight rows a step, so that a step's presence is one byte of the bitmap; the ends row by row. */
@inline
function sumOfEights<T, W>(
  masked: bool, start: u32, end: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  const first = min((start + 7) & ~7, end);
  const whole = first + ((end - first) & ~7);
  let sum = sumOfRows<T, W>(masked, start, first, values, base, weights, present);
  sum += sumOfRows<T, W>(masked, whole, end, values, base, weights, present);
  if (first == whole) return sum;
  if (isByte<W>() && (isThree<T>() || (isShort<T>() && !isVoid<T>()))) {
    return sum + sumOfByteWeights<T>(masked, first, whole, values, base, weights, present);
  }
  if (isVoid<T>()) {
    if (isShort<W>()) return sum + sumOfShorts<W>(masked, true, first, whole, weights, present);
    return sum + sumOfLanes<T, W>(masked, first, whole, values, weights, present);
  }
  // The base leaves the lanes: it counts once for every weight.
  if (base != 0) sum += base * weightOfRun<W>(first, whole - first, weights, present);
  if (isWide<T>()) {
    if (isVoid<W>()) return sum + sumOfWides(masked, first, whole, values, present);
    return sum + sumOfRows<T, W>(masked, first, whole, values, 0, weights, present);
  }
  if (isVoid<W>()) {
    if (isShort<T>()) return sum + sumOfShorts<T>(masked, false, first, whole, values, present);
    if (isThree<T>()) return sum + sumOfThrees<T>(masked, first, whole, values, present);
  } else if (isShort<T>() && isShort<W>()) {
    return sum + sumOfShortProducts<T, W>(masked, first, whole, values, weights, present);
  }
  return sum + sumOfLanes<T, W>(masked, first, whole, values, weights, present);
}

@inline
function sumOfRows<T, W>(
  masked: bool, from: u32, to: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  let sum: i64 = 0;
  for (let row = from; row < to; row++) {
    const product = (base + valueAt<T>(values, row)) * weightAt<W>(weights, row);
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
function isByte<W>(): bool {
  if (isVoid<W>()) {
    return false;
  } else {
    return strideOf<W>() == 1;
  }
}

/**
 * A step adds at most 131,070 to a lane of 32 bits: they are emptied after this many rows, before
 * it could overflow.
 */
const ROWS_OF_SHORTS: u32 = 65536;

/**
 * Rows from to to - 1, multiples of eight. `floored`: a value of 0 counts as 1, as a weight does.
 */
@inline
function sumOfShorts<T>(masked: bool, floored: bool, from: u32, to: u32, values: usize, present: usize): i64 {
  const rowsSelected: i64 = masked ? countOfRun(present, from, to) : to - from;
  let sums = i64x2.splat(0);
  for (let row = from; row < to; ) {
    const end = min(to, row + ROWS_OF_SHORTS);
    let lanes = i32x4.splat(0);
    let others = i32x4.splat(0);
    for (; row + 32 <= end; row += 32) {
      const bits = masked ? presence16(present, row) : i16x8.splat(0);
      lanes = i32x4.sub(lanes, dotOfShorts<T>(masked, floored, values, row, bits, 0));
      others = i32x4.sub(others, dotOfShorts<T>(masked, floored, values, row + 8, bits, 8));
      const more = masked ? presence16(present, row + 16) : i16x8.splat(0);
      lanes = i32x4.sub(lanes, dotOfShorts<T>(masked, floored, values, row + 16, more, 0));
      others = i32x4.sub(others, dotOfShorts<T>(masked, floored, values, row + 24, more, 8));
    }
    for (; row < end; row += 8) {
      const bits = masked ? presence8(present, row) : i16x8.splat(0);
      lanes = i32x4.sub(lanes, dotOfShorts<T>(masked, floored, values, row, bits, 0));
    }
    lanes = i32x4.add(lanes, others);
    sums = i64x2.add(sums, i64x2.add(i64x2.extend_low_i32x4_s(lanes), i64x2.extend_high_i32x4_s(lanes)));
  }
  return sumOfPair(sums) + (sizeof<T>() == 2 ? rowsSelected << 15 : 0);
}

/** The selected of eight rows, added up in pairs with the sign turned. */
@inline
function dotOfShorts<T>(masked: bool, floored: bool, values: usize, row: u32, bits: v128, shift: i32): v128 {
  let value = short8<T>(values, row);
  if (floored) value = i16x8.max_u(value, i16x8.splat(1));
  // The product of lanes is signed: values of 16 bits go in less half of their span.
  if (sizeof<T>() == 2) value = v128.xor(value, i16x8.splat(-32768));
  // Selected lanes are -1, the others 0.
  const selected = masked ? shortMaskOf(bits, shift) : i16x8.splat(-1);
  return i32x4.dot_i16x8_s(value, selected);
}

/** Rows from to to - 1, multiples of eight; values and weights of at most 16 bits. */
@inline
function sumOfShortProducts<T, W>(
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
      if (masked) value = v128.and(value, shortMaskOf(presence8(present, row), 0));
      // A product has 32 bits: its halves are added up apart.
      const weight = i16x8.max_u(short8<W>(weights, row), one);
      const first = i32x4.extmul_low_i16x8_u(value, weight);
      const second = i32x4.extmul_high_i16x8_u(value, weight);
      low = i32x4.add(low, i32x4.add(v128.and(first, lowHalf), v128.and(second, lowHalf)));
      high = i32x4.add(high, i32x4.add(i32x4.shr_u(first, 16), i32x4.shr_u(second, 16)));
    }
    sum += sumOfFour(low) + (sumOfFour(high) << 16);
  }
  return sum;
}

/**
 * A step adds four values of 24 bits to two lanes of 32: they are emptied after this many rows,
 * before they could overflow.
 */
const ROWS_OF_THREES: u32 = 1024;

/** Rows from to to - 1, multiples of eight; values of three bytes. */
@inline
function sumOfThrees<T>(masked: bool, from: u32, to: u32, values: usize, present: usize): i64 {
  let sums = i64x2.splat(0);
  for (let row = from; row < to; ) {
    const end = min(to, row + ROWS_OF_THREES);
    let even = i32x4.splat(0);
    let odd = i32x4.splat(0);
    for (; row + 16 <= end; row += 16) {
      const bits = masked ? presence16(present, row) : i32x4.splat(0);
      even = i32x4.add(even, selected4<T>(masked, values, row, bits, 0));
      odd = i32x4.add(odd, selected4<T>(masked, values, row + 4, bits, 4));
      even = i32x4.add(even, selected4<T>(masked, values, row + 8, bits, 8));
      odd = i32x4.add(odd, selected4<T>(masked, values, row + 12, bits, 12));
    }
    for (; row < end; row += 8) {
      const bits = masked ? presence8(present, row) : i32x4.splat(0);
      even = i32x4.add(even, selected4<T>(masked, values, row, bits, 0));
      odd = i32x4.add(odd, selected4<T>(masked, values, row + 4, bits, 4));
    }
    sums = i64x2.add(sums, pairsOf(even));
    sums = i64x2.add(sums, pairsOf(odd));
  }
  return sumOfPair(sums);
}

@inline
function selected4<T>(masked: bool, values: usize, row: u32, bits: v128, shift: i32): v128 {
  const lanes = load4<T>(values, row);
  return masked ? v128.and(lanes, laneMaskOf(bits, shift)) : lanes;
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
    const bits = masked ? presence8(present, row) : i32x4.splat(0);
    const first = selected4<T>(masked, values, row, bits, 0);
    const second = selected4<T>(masked, values, row + 4, bits, 4);
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

/** Rows from to to - 1, multiples of eight; values of 64 bits, modulo 2^64. */
function sumOfWides(masked: bool, from: u32, to: u32, values: usize, present: usize): i64 {
  let even = i64x2.splat(0);
  let odd = i64x2.splat(0);
  for (let row = from; row < to; row += 8) {
    const at = values + (row << 3);
    const bits = masked ? presence8(present, row) : i64x2.splat(0);
    even = i64x2.add(even, wide2(masked, at, bits, i64x2(1, 2)));
    odd = i64x2.add(odd, wide2(masked, at + 16, bits, i64x2(4, 8)));
    even = i64x2.add(even, wide2(masked, at + 32, bits, i64x2(16, 32)));
    odd = i64x2.add(odd, wide2(masked, at + 48, bits, i64x2(64, 128)));
  }
  return sumOfPair(i64x2.add(even, odd));
}

@inline
function wide2(masked: bool, at: usize, bits: v128, lanes: v128): v128 {
  const values = v128.load(at);
  if (!masked) return values;
  return v128.and(values, i64x2.eq(v128.and(bits, lanes), lanes));
}

@inline
function pairsOf(lanes: v128): v128 {
  return i64x2.add(i64x2.extend_low_i32x4_u(lanes), i64x2.extend_high_i32x4_u(lanes));
}

@inline
function sumOfFour(lanes: v128): i64 {
  return sumOfPair(pairsOf(lanes));
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
