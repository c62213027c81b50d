// Conditions on a block of rows: a lane of 16 bits for each row, -1 where it passes and 0 where
// not. Sums use lanes as they are; a block of them stays in the L1 cache.
import { presence8, short8, shortMaskOf, strideOf, U24, valueAt } from "../base/lanes";
import { AHEAD_ROWS, readAhead } from "../base/readAhead";

/** How a step combines with the lanes so far. */
export const SET: u32 = 0;
export const AND: u32 = 1;
export const OR: u32 = 2;
/** The same as types, one loop for each, see lanes.ts. */
type Set = void;
type And = u8;
type Or = u16;

/**
 * Rows whose value is lowest to lowest + span, modulo 2^32 (2^16 where values have at most 16
 * bits), `count` of them, a multiple of eight. Returns how many lanes are set.
 */
export function rangeLanes(
  mode: u32, lanes: usize, values: usize, width: u32, count: u32, lowest: u32, span: u32,
): u32 {
  switch (width) {
    case 1: return rangeByMode<u8>(mode, lanes, values, count, lowest, span);
    case 2: return rangeByMode<u16>(mode, lanes, values, count, lowest, span);
    case 3: return rangeByMode<U24>(mode, lanes, values, count, lowest, span);
    case 4: return rangeByMode<u32>(mode, lanes, values, count, lowest, span);
    default: return unreachable();
  }
}

function rangeByMode<T>(mode: u32, lanes: usize, values: usize, count: u32, lowest: u32, span: u32): u32 {
  if (mode == SET) return rangeOf<T, Set>(lanes, values, count, lowest, span);
  if (mode == AND) return rangeOf<T, And>(lanes, values, count, lowest, span);
  return rangeOf<T, Or>(lanes, values, count, lowest, span);
}

/** Four registers of lanes a round: every round of a loop also checks for interrupts. */
@inline
function rangeOf<T, M>(lanes: usize, values: usize, count: u32, lowest: u32, span: u32): u32 {
  const isShort = strideOf<T>() <= 2;
  const low = isShort ? i16x8.splat(<i16>lowest) : i32x4.splat(lowest);
  const high = isShort ? i16x8.splat(<i16>span) : i32x4.splat(span);
  const end = lanes + (count << 1);
  let counts = i16x8.splat(0);
  let others = counts;
  while (lanes + 64 <= end) {
    readAhead(values, strideOf<T>());
    const roundEnd = min(end, lanes + (AHEAD_ROWS << 1));
    for (; lanes + 64 <= roundEnd; lanes += 64, values += 32 * strideOf<T>()) {
      const next = values + 16 * strideOf<T>();
      counts = i16x8.sub(counts, put<void, M>(lanes, inRange8<T, void>(values, low, high)));
      others = i16x8.sub(others, put<u8, M>(lanes, inRange8<T, u8>(values, low, high)));
      counts = i16x8.sub(counts, put<void, M>(lanes + 32, inRange8<T, void>(next, low, high)));
      others = i16x8.sub(others, put<u8, M>(lanes + 32, inRange8<T, u8>(next, low, high)));
    }
  }
  for (; lanes < end; lanes += 16, values += 8 * strideOf<T>()) {
    counts = i16x8.sub(counts, put<void, M>(lanes, inRange8<T, void>(values, low, high)));
  }
  return <u32>sumOfShortLanes(i16x8.add(counts, others));
}

/**
 * Of the first eight values, or with a K other than void the second eight: the distance is part of
 * the instruction.
 */
@inline
function inRange8<T, K>(values: usize, low: v128, high: v128): v128 {
  if (strideOf<T>() <= 2) {
    // As a comparison without a sign it would be one instruction more; of wider values that one
    // takes no time.
    const above = i16x8.sub(short8At<T, K>(values), low);
    return i16x8.eq(i16x8.min_u(above, high), above);
  } else {
    const first = i32x4.le_u(i32x4.sub(load4At<T, K, void>(values), low), high);
    const second = i32x4.le_u(i32x4.sub(load4At<T, K, u8>(values), low), high);
    return i16x8.narrow_i32x4_s(first, second);
  }
}

@inline
export function short8At<T, K>(values: usize): v128 {
  if (isVoid<K>()) return short8<T>(values, 0);
  if (sizeof<T>() == 1) return v128.load8x8_u(values, 8);
  return v128.load(values, 16);
}

/** K: the second eight values; Q: the second four of these. */
@inline
function load4At<T, K, Q>(values: usize): v128 {
  if (isFloat<T>()) {
    return i8x16.swizzle(quad<T, K, Q>(values), i8x16(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1));
  }
  return quad<T, K, Q>(values);
}

/** 16 bytes from the first of four values on. */
@inline
export function quad<T, K, Q>(values: usize): v128 {
  if (isFloat<T>()) {
    if (isVoid<K>()) return isVoid<Q>() ? v128.load(values) : v128.load(values, 12);
    return isVoid<Q>() ? v128.load(values, 24) : v128.load(values, 36);
  }
  if (isVoid<K>()) return isVoid<Q>() ? v128.load(values) : v128.load(values, 16);
  return isVoid<Q>() ? v128.load(values, 32) : v128.load(values, 48);
}

/** Returns the new lanes. */
@inline
function put<K, M>(at: usize, passed: v128): v128 {
  let lanes = passed;
  if (!isVoid<M>()) {
    if (sizeof<M>() == sizeof<And>()) lanes = v128.and(lanesAt<K>(at), passed);
    else lanes = v128.or(lanesAt<K>(at), passed);
  }
  if (isVoid<K>()) v128.store(at, lanes);
  else v128.store(at, lanes, 16);
  return lanes;
}

@inline
export function lanesAt<K>(at: usize): v128 {
  return isVoid<K>() ? v128.load(at) : v128.load(at, 16);
}

/** Rows whose value of 64 bits is from low to high; with `flip` all others. */
export function wideRangeLanes(
  mode: u32, lanes: usize, values: usize, count: u32, low: i64, high: i64, flip: bool,
): u32 {
  const lows = i64x2.splat(low);
  const highs = i64x2.splat(high);
  // Comparisons mark the rows outside: the others are inside.
  const turn = i16x8.splat(flip ? 0 : -1);
  for (let row: u32 = 0; row < count; row += 8) {
    const at = values + (row << 3);
    const first = i16x8.narrow_i32x4_s(outside4(at, lows, highs), outside4(at + 32, lows, highs));
    putAny(mode, lanes + (row << 1), v128.xor(first, turn));
  }
  return countLanes(lanes, count);
}

@inline
function outside4(at: usize, low: v128, high: v128): v128 {
  return v128.shuffle<i32>(outside2(v128.load(at), low, high), outside2(v128.load(at, 16), low, high), 0, 2, 4, 6);
}

@inline
function outside2(values: v128, low: v128, high: v128): v128 {
  return v128.or(i64x2.gt_s(low, values), i64x2.gt_s(values, high));
}

@inline
function putAny(mode: u32, at: usize, passed: v128): void {
  if (mode == SET) put<void, Set>(at, passed);
  else if (mode == AND) put<void, And>(at, passed);
  else put<void, Or>(at, passed);
}

/**
 * lanes = others where the row's bit is set, else 0. `bits` begins at the first row's byte. Returns
 * how many are set.
 */
export function presentLanes(lanes: usize, others: usize, bits: usize, count: u32): u32 {
  for (let row: u32 = 0; row < count; row += 8) {
    const at = row << 1;
    v128.store(lanes + at, v128.and(v128.load(others + at), shortMaskOf(presence8(bits, row), 0)));
  }
  return countLanes(lanes, count);
}

export function andLanes(lanes: usize, others: usize, count: u32): u32 {
  for (let at: u32 = 0; at < count << 1; at += 16) {
    v128.store(lanes + at, v128.and(v128.load(lanes + at), v128.load(others + at)));
  }
  return countLanes(lanes, count);
}

/** Lanes that are not 0. */
export function countLanes(lanes: usize, count: u32): u32 {
  const end = lanes + (count << 1);
  const zero = i16x8.splat(0);
  let counts = zero;
  let others = zero;
  for (; lanes + 64 <= end; lanes += 64) {
    counts = i16x8.sub(counts, i16x8.ne(v128.load(lanes), zero));
    others = i16x8.sub(others, i16x8.ne(v128.load(lanes, 16), zero));
    counts = i16x8.sub(counts, i16x8.ne(v128.load(lanes, 32), zero));
    others = i16x8.sub(others, i16x8.ne(v128.load(lanes, 48), zero));
  }
  for (; lanes < end; lanes += 16) counts = i16x8.sub(counts, i16x8.ne(v128.load(lanes), zero));
  return <u32>sumOfShortLanes(i16x8.add(counts, others));
}

/** Lanes that are not 0 become the row's weight; returns the sum of these. */
export function weighLanes(lanes: usize, weights: usize, count: u32): i64 {
  const end = lanes + (count << 1);
  let sums = i32x4.splat(0);
  let others = i32x4.splat(0);
  for (; lanes + 64 <= end; lanes += 64, weights += 32) {
    sums = i32x4.add(sums, weigh8<void>(lanes, weights));
    others = i32x4.add(others, weigh8<u8>(lanes, weights));
    sums = i32x4.add(sums, weigh8<void>(lanes + 32, weights + 16));
    others = i32x4.add(others, weigh8<u8>(lanes + 32, weights + 16));
  }
  for (; lanes < end; lanes += 16, weights += 8) sums = i32x4.add(sums, weigh8<void>(lanes, weights));
  return sumOfLanes(i32x4.add(sums, others));
}

@inline
function weigh8<K>(lanes: usize, weights: usize): v128 {
  const weight = v128.and(i16x8.max_u(short8At<u8, K>(weights), i16x8.splat(1)), lanesAt<K>(lanes));
  if (isVoid<K>()) v128.store(lanes, weight);
  else v128.store(lanes, weight, 16);
  return i32x4.extadd_pairwise_i16x8_s(weight);
}

/** Sum of the lanes. */
export function totalOfLanes(lanes: usize, count: u32): i64 {
  let sums = i32x4.splat(0);
  for (let at: u32 = 0; at < count << 1; at += 16) {
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_s(v128.load(lanes + at)));
  }
  return sumOfLanes(sums);
}

@inline
function sumOfShortLanes(lanes: v128): i64 {
  return sumOfLanes(i32x4.extadd_pairwise_i16x8_s(lanes));
}

/** The sum of four lanes with their sign. */
@inline
export function sumOfLanes(lanes: v128): i64 {
  const pairs = i64x2.add(i64x2.extend_low_i32x4_s(lanes), i64x2.extend_high_i32x4_s(lanes));
  return i64x2.extract_lane(pairs, 0) + i64x2.extract_lane(pairs, 1);
}

/** A value whose width is known only now. */
export function valueOfWidth(values: usize, width: u32, row: u32): i64 {
  switch (width) {
    case 0: return 0;
    case 1: return valueAt<u8>(values, row);
    case 2: return valueAt<u16>(values, row);
    case 3: return valueAt<U24>(values, row);
    case 4: return valueAt<u32>(values, row);
    case 8: return valueAt<i64>(values, row);
    default: return unreachable();
  }
}
