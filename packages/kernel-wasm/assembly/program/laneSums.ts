// Sums of value · lane, where a lane of 16 bits says how often a row counts: -1 or 0, or its
// weight. One instruction multiplies eight such pairs and adds them up two by two.
import { strideOf, U24 } from "../base/lanes";
import { AHEAD_ROWS, readAhead } from "../base/readAhead";
import { lanesAt, quad, short8At, sumOfLanes } from "./rowLanes";

/**
 * What values went in without, so that their halves fit a lane with a sign: it counts once for
 * every lane's worth.
 */
export function laneOffset(width: u32, weighted: bool): i64 {
  switch (width) {
    case 2: return 0x8000;
    case 3: return weighted ? 0x8000 : 0;
    case 4: return 0x80008000;
    default: return 0;
  }
}

/**
 * Σ (value − laneOffset) · lane over `count` rows, a multiple of eight and at most 1024: a lane of
 * 32 bits takes 128 pairs of products of 16 by 8 bits. Values of 64 bits modulo 2^64. Not weighted:
 * all lanes are -1 or 0.
 */
export function sumLanes(lanes: usize, values: usize, width: u32, count: u32, weighted: bool): i64 {
  switch (width) {
    case 0: return 0;
    case 1: return sumShorts<u8>(lanes, values, count);
    case 2: return sumShorts<u16>(lanes, values, count);
    case 3: return weighted ? sumHalves<U24>(lanes, values, count) : -sumPassed(lanes, values, count);
    case 4: return sumHalves<u32>(lanes, values, count);
    case 8: return sumWides(lanes, values, count);
    default: return unreachable();
  }
}

function sumShorts<T>(lanes: usize, values: usize, count: u32): i64 {
  const end = lanes + (count << 1);
  let even = i32x4.splat(0);
  let odd = i32x4.splat(0);
  while (lanes + 64 <= end) {
    readAhead(values, sizeof<T>());
    const roundEnd = min(end, lanes + (AHEAD_ROWS << 1));
    for (; lanes + 64 <= roundEnd; lanes += 64, values += 32 * sizeof<T>()) {
      const next = values + 16 * sizeof<T>();
      even = i32x4.add(even, dot8<T, void>(lanes, values));
      odd = i32x4.add(odd, dot8<T, u8>(lanes, values));
      even = i32x4.add(even, dot8<T, void>(lanes + 32, next));
      odd = i32x4.add(odd, dot8<T, u8>(lanes + 32, next));
    }
  }
  for (; lanes < end; lanes += 16, values += 8 * sizeof<T>()) {
    even = i32x4.add(even, dot8<T, void>(lanes, values));
  }
  return sumOfLanes(even) + sumOfLanes(odd);
}

@inline
function dot8<T, K>(lanes: usize, values: usize): v128 {
  const shorts = short8At<T, K>(values);
  const signed = sizeof<T>() == 1 ? shorts : v128.xor(shorts, i16x8.splat(-32768));
  return i32x4.dot_i16x8_s(signed, lanesAt<K>(lanes));
}

/** Lanes 0 and 1 of the products are those of the low 16 bits, lanes 2 and 3 those of the rest. */
function sumHalves<T>(lanes: usize, values: usize, count: u32): i64 {
  const end = lanes + (count << 1);
  let even = i32x4.splat(0);
  let odd = i32x4.splat(0);
  while (lanes + 64 <= end) {
    readAhead(values, strideOf<T>());
    const roundEnd = min(end, lanes + (AHEAD_ROWS << 1));
    for (; lanes + 64 <= roundEnd; lanes += 64, values += 32 * strideOf<T>()) {
      const next = values + 16 * strideOf<T>();
      even = i32x4.add(even, dotHalves<T, void, void>(lanes, values));
      odd = i32x4.add(odd, dotHalves<T, void, u8>(lanes, values));
      even = i32x4.add(even, dotHalves<T, u8, void>(lanes, values));
      odd = i32x4.add(odd, dotHalves<T, u8, u8>(lanes, values));
      even = i32x4.add(even, dotHalves<T, void, void>(lanes + 32, next));
      odd = i32x4.add(odd, dotHalves<T, void, u8>(lanes + 32, next));
      even = i32x4.add(even, dotHalves<T, u8, void>(lanes + 32, next));
      odd = i32x4.add(odd, dotHalves<T, u8, u8>(lanes + 32, next));
    }
  }
  for (; lanes < end; lanes += 16, values += 8 * strideOf<T>()) {
    even = i32x4.add(even, dotHalves<T, void, void>(lanes, values));
    odd = i32x4.add(odd, dotHalves<T, void, u8>(lanes, values));
  }
  const low = i64x2.add(i64x2.extend_low_i32x4_s(even), i64x2.extend_low_i32x4_s(odd));
  const high = i64x2.add(i64x2.extend_high_i32x4_s(even), i64x2.extend_high_i32x4_s(odd));
  return sumOfPair(low) + (sumOfPair(high) << 16);
}

@inline
function sumOfPair(lanes: v128): i64 {
  return i64x2.extract_lane(lanes, 0) + i64x2.extract_lane(lanes, 1);
}

@inline
function dotHalves<T, K, Q>(lanes: usize, values: usize): v128 {
  return i32x4.dot_i16x8_s(halves<T>(quad<T, K, Q>(values)), lanesTwice<K, Q>(lanes));
}

/** The lanes of four rows, in both halves of a register. */
@inline
function lanesTwice<K, Q>(lanes: usize): v128 {
  if (isVoid<K>()) return isVoid<Q>() ? v128.load64_splat(lanes) : v128.load64_splat(lanes, 8);
  return isVoid<Q>() ? v128.load64_splat(lanes, 16) : v128.load64_splat(lanes, 24);
}

/**
 * Of four values the low 16 bits in lanes 0 to 3 and the rest in lanes 4 to 7, each with a sign.
 */
@inline
function halves<T>(four: v128): v128 {
  if (strideOf<T>() == 3) {
    const parts = i8x16.swizzle(four, i8x16(0, 1, 3, 4, 6, 7, 9, 10, 2, -1, 5, -1, 8, -1, 11, -1));
    return v128.xor(parts, i16x8(-32768, -32768, -32768, -32768, 0, 0, 0, 0));
  } else {
    const parts = i8x16.swizzle(four, i8x16(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
    return v128.xor(parts, i16x8.splat(-32768));
  }
}

/**
 * Of three bytes without weights: an instruction less for four rows than by products. 128 of them
 * fit a lane of 32 bits.
 */
function sumPassed(lanes: usize, values: usize, count: u32): i64 {
  const end = lanes + (count << 1);
  let even = i32x4.splat(0);
  let odd = i32x4.splat(0);
  while (lanes + 64 <= end) {
    readAhead(values, 3);
    const roundEnd = min(end, lanes + (AHEAD_ROWS << 1));
    for (; lanes + 64 <= roundEnd; lanes += 64, values += 96) {
      even = i32x4.add(even, passed4<void, void>(lanes, values));
      odd = i32x4.add(odd, passed4<void, u8>(lanes, values));
      even = i32x4.add(even, passed4<u8, void>(lanes, values));
      odd = i32x4.add(odd, passed4<u8, u8>(lanes, values));
      even = i32x4.add(even, passed4<void, void>(lanes + 32, values + 48));
      odd = i32x4.add(odd, passed4<void, u8>(lanes + 32, values + 48));
      even = i32x4.add(even, passed4<u8, void>(lanes + 32, values + 48));
      odd = i32x4.add(odd, passed4<u8, u8>(lanes + 32, values + 48));
    }
  }
  for (; lanes < end; lanes += 16, values += 24) {
    even = i32x4.add(even, passed4<void, void>(lanes, values));
    odd = i32x4.add(odd, passed4<void, u8>(lanes, values));
  }
  const low = i64x2.add(i64x2.extend_low_i32x4_u(even), i64x2.extend_low_i32x4_u(odd));
  const high = i64x2.add(i64x2.extend_high_i32x4_u(even), i64x2.extend_high_i32x4_u(odd));
  return sumOfPair(i64x2.add(low, high));
}

/** Four values of three bytes, 0 where the row does not pass. */
@inline
function passed4<K, Q>(lanes: usize, values: usize): v128 {
  const four = i8x16.swizzle(quad<U24, K, Q>(values), i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  return v128.and(four, laneMask4<K, Q>(lanes));
}

@inline
function laneMask4<K, Q>(lanes: usize): v128 {
  if (isVoid<K>()) return isVoid<Q>() ? v128.load16x4_s(lanes) : v128.load16x4_s(lanes, 8);
  return isVoid<Q>() ? v128.load16x4_s(lanes, 16) : v128.load16x4_s(lanes, 24);
}

function sumWides(lanes: usize, values: usize, count: u32): i64 {
  let even: i64 = 0;
  let odd: i64 = 0;
  for (let row: u32 = 0; row < count; row += 2) {
    even += load<i64>(values + (row << 3)) * <i64>load<i16>(lanes + (row << 1));
    odd += load<i64>(values + (row << 3), 8) * <i64>load<i16>(lanes + (row << 1), 2);
  }
  return even + odd;
}
