// The ungrouped sum of (value + base) · weight where a weight is one byte and a value at most
// three: products of 16-bit lanes, which one instruction multiplies and adds up in pairs.
import { presence8, short8, shortMaskOf, strideOf } from "../base/lanes";

/**
 * A step adds at most 2 · 2^15 · 255 to a lane of 32 bits: it is emptied after this many rows,
 * before it could overflow.
 */
const ROWS_AT_ONCE: u32 = 1024;

/** Rows from to to - 1, multiples of eight. T is u8, u16 or U24. */
@inline
export function sumOfByteWeights<T>(
  masked: bool, from: u32, to: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  const one = i16x8.splat(1);
  let low = i64x2.splat(0);
  let high = i64x2.splat(0);
  let weightSums = i64x2.splat(0);
  for (let row = from; row < to; ) {
    const end = min(to, row + ROWS_AT_ONCE);
    let first = i32x4.splat(0);
    let second = i32x4.splat(0);
    let weightLanes = i32x4.splat(0);
    for (; row < end; row += 8) {
      let weight = i16x8.max_u(short8<u8>(weights, row), one);
      if (masked) weight = v128.and(weight, shortMaskOf(presence8(present, row), 0));
      weightLanes = i32x4.add(weightLanes, i32x4.dot_i16x8_s(weight, one));
      if (strideOf<T>() == 3) {
        first = i32x4.add(first, dotOfThrees(values, row, v128.shuffle<i64>(weight, weight, 0, 0)));
        second = i32x4.add(second, dotOfThrees(values, row + 4, v128.shuffle<i64>(weight, weight, 1, 1)));
      } else {
        first = i32x4.add(first, i32x4.dot_i16x8_s(signed8<T>(values, row), weight));
      }
    }
    weightSums = i64x2.add(weightSums, pairsOf(weightLanes));
    if (strideOf<T>() == 3) {
      low = i64x2.add(low, i64x2.add(i64x2.extend_low_i32x4_s(first), i64x2.extend_low_i32x4_s(second)));
      high = i64x2.add(high, i64x2.add(i64x2.extend_high_i32x4_s(first), i64x2.extend_high_i32x4_s(second)));
    } else {
      low = i64x2.add(low, pairsOf(first));
    }
  }
  // The part that the lanes leave out, see below.
  const offset: i64 = strideOf<T>() == 1 ? 0 : 32768;
  return sumOfPair(low) + (sumOfPair(high) << 16) + (base + offset) * sumOfPair(weightSums);
}

/** Lanes are multiplied with their sign: values of 16 bits go in less half of their span. */
@inline
function signed8<T>(values: usize, row: u32): v128 {
  if (strideOf<T>() == 1) {
    return short8<u8>(values, row);
  } else {
    return v128.xor(short8<u16>(values, row), i16x8.splat(-32768));
  }
}

/**
 * Of four values: the low 16 bits times their weights in lanes 0 and 1, the high 8 bits times the
 * same in lanes 2 and 3.
 */
@inline
function dotOfThrees(values: usize, row: u32, weights: v128): v128 {
  const parts = i8x16.swizzle(
    v128.load(values + row * 3),
    i8x16(0, 1, 3, 4, 6, 7, 9, 10, 2, -1, 5, -1, 8, -1, 11, -1),
  );
  const half = i16x8(-32768, -32768, -32768, -32768, 0, 0, 0, 0);
  return i32x4.dot_i16x8_s(v128.xor(parts, half), weights);
}

@inline
function pairsOf(lanes: v128): v128 {
  return i64x2.add(i64x2.extend_low_i32x4_s(lanes), i64x2.extend_high_i32x4_s(lanes));
}

@inline
function sumOfPair(lanes: v128): i64 {
  return i64x2.extract_lane(lanes, 0) + i64x2.extract_lane(lanes, 1);
}
