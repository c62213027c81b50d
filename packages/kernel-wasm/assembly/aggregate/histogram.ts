// Log-linear histograms per group; the buckets are those of src/base/logLinear.ts.
import { bitOf } from "../base/bitset";
import {
  checkWeightWidth, lanesAt, load4, rowAt, strideOf, U24, valueAt, weightAt, weightOfWidth, Zero,
} from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

/** Up to here a base is the same number as an f64, so adding it there rounds as adding it here. */
const EXACT_BASE_MAX: i64 = 1 << 53;

/** `small`: value + base lies within ±2^24, where every integer is an f32. */
export function addToHistograms(
  histogram: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize, small: u32, subBits: u32,
  firstBucket: i32, bucketCount: u32,
): void {
  checkWeightWidth(weightWidth);
  // Bucket b is b - firstBucket counters after the histogram's start: one subtraction for all rows.
  const origin = histogram - (firstBucket << 3);
  const groupBytes = bucketCount << 3;
  let k: u32 = 0;
  if (!rows && !groups && !present && small && base >= 0 && weightWidth <= 1) {
    k = addRun(origin, start, count & ~7, values, width, <u32>base, weights, weightWidth, subBits);
  } else if (width != 0 && width <= 4 && base >= -EXACT_BASE_MAX && base <= EXACT_BASE_MAX) {
    k = count & ~3;
    switch (width) {
      case 1: histograms<u8>(origin, groups, start, k, rows, values, base, weights, weightWidth, present, small, subBits, groupBytes); break;
      case 2: histograms<u16>(origin, groups, start, k, rows, values, base, weights, weightWidth, present, small, subBits, groupBytes); break;
      case 3: histograms<U24>(origin, groups, start, k, rows, values, base, weights, weightWidth, present, small, subBits, groupBytes); break;
      case 4: histograms<u32>(origin, groups, start, k, rows, values, base, weights, weightWidth, present, small, subBits, groupBytes); break;
    }
  }
  switch (width) {
    case 0: return fillRows<Zero>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    case 1: return fillRows<u8>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    case 2: return fillRows<u16>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    case 3: return fillRows<U24>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    case 4: return fillRows<u32>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    case 8: return fillRows<i64>(origin, groups, start, k, count, rows, values, base, weights, weightWidth, present, subBits, groupBytes);
    default: unreachable();
  }
}

@inline
function histograms<T>(
  origin: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize, small: u32, subBits: u32, groupBytes: u32,
): void {
  switch (weightWidth) {
    case 0: return fill<T, void>(origin, groups, start, count, rows, values, base, weights, present, small, subBits, groupBytes);
    case 1: return fill<T, u8>(origin, groups, start, count, rows, values, base, weights, present, small, subBits, groupBytes);
    case 2: return fill<T, u16>(origin, groups, start, count, rows, values, base, weights, present, small, subBits, groupBytes);
    case 4: return fill<T, u32>(origin, groups, start, count, rows, values, base, weights, present, small, subBits, groupBytes);
  }
}

function fill<T, W>(
  origin: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, present: usize, small: u32, subBits: u32, groupBytes: u32,
): void {
  if (small) fillLanes<T, W>(true, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
  else fillLanes<T, W>(false, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
}

@inline
function fillLanes<T, W>(
  small: bool, origin: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, weights: usize, present: usize, subBits: u32, groupBytes: u32,
): void {
  if (rows) {
    if (present) fill4<T, W>(small, true, true, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
    else fill4<T, W>(small, true, false, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
  } else {
    if (present) fill4<T, W>(small, false, true, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
    else fill4<T, W>(small, false, false, origin, groups, start, count, rows, values, base, weights, present, subBits, groupBytes);
  }
}

/**
 * `count` rows, a multiple of four. Addresses of four counters are computed before the previous
 * four are stored: a load waits for earlier stores of unknown address.
 */
@inline
function fill4<T, W>(
  small: bool, listed: bool, masked: bool, origin: usize, groups: usize, start: u32, count: u32,
  rows: usize, values: usize, base: i64, weights: usize, present: usize, subBits: u32, groupBytes: u32,
): void {
  if (count == 0) return;
  const bases = f64x2.splat(<f64>base);
  const smallBases = i32x4.splat(<i32>base);
  const origins = i32x4.splat(<i32>origin);
  const groupsBytes = i32x4.splat(groupBytes);
  let at = countersOf<T>(small, listed, 3, origins, groups, groupsBytes, start, 0, rows, values, bases, smallBases, subBits);
  let k: u32 = 0;
  for (; k + 4 < count; k += 4) {
    if (!listed && isRoundStart(k, 4)) readAhead(values + (start + k) * strideOf<T>(), strideOf<T>());
    const next = countersOf<T>(small, listed, 3, origins, groups, groupsBytes, start, k + 4, rows, values, bases, smallBases, subBits);
    growFour<W>(listed, masked, at, start, k, rows, weights, present);
    at = next;
  }
  growFour<W>(listed, masked, at, start, k, rows, weights, present);
}

/**
 * The same for `count` neighbouring rows, a multiple of eight, of one group, without missing or
 * negative values, all small, with weights of a byte or none: for sealing a segment. Returns how
 * many rows it has counted.
 */
function addRun(
  origin: usize, start: u32, count: u32, values: usize, width: u32, base: u32, weights: usize, weightWidth: u32, subBits: u32,
): u32 {
  if (weightWidth == 0) {
    switch (width) {
      case 1: return fillRun<u8, void>(origin, start, count, values, base, weights, subBits);
      case 2: return fillRun<u16, void>(origin, start, count, values, base, weights, subBits);
      case 3: return fillRun<U24, void>(origin, start, count, values, base, weights, subBits);
      case 4: return fillRun<u32, void>(origin, start, count, values, base, weights, subBits);
    }
  } else {
    switch (width) {
      case 1: return fillRun<u8, u8>(origin, start, count, values, base, weights, subBits);
      case 2: return fillRun<u16, u8>(origin, start, count, values, base, weights, subBits);
      case 3: return fillRun<U24, u8>(origin, start, count, values, base, weights, subBits);
      case 4: return fillRun<u32, u8>(origin, start, count, values, base, weights, subBits);
    }
  }
  return 0;
}

/** As fill4, eight rows a step, with two thirds of its instructions. */
function fillRun<T, W>(
  origin: usize, start: u32, count: u32, values: usize, base: u32, weights: usize, subBits: u32,
): u32 {
  if (count == 0) return 0;
  const bases = i32x4.splat(base);
  const shift = 20 - subBits;
  // Only 0 has a bucket below 1; as a float it is far below.
  const floor = ((127 << subBits) - 1) << 3;
  const floors = i32x4.splat(floor);
  const origins = i32x4.splat(<i32>origin - floor);
  let first = countersOfRun<T>(values, start, bases, shift, floors, origins);
  let second = countersOfRun<T>(values, start + 4, bases, shift, floors, origins);
  let k: u32 = 0;
  for (; k + 8 < count; k += 8) {
    const row = start + k;
    if (isRoundStart(k, 8)) readAhead(values + row * strideOf<T>(), strideOf<T>());
    const firstNext = countersOfRun<T>(values, row + 8, bases, shift, floors, origins);
    const secondNext = countersOfRun<T>(values, row + 12, bases, shift, floors, origins);
    growFour<W>(false, false, first, start, k, 0, weights, 0);
    growFour<W>(false, false, second, start, k + 4, 0, weights, 0);
    first = firstNext;
    second = secondNext;
  }
  growFour<W>(false, false, first, start, k, 0, weights, 0);
  growFour<W>(false, false, second, start, k + 4, 0, weights, 0);
  return count;
}

/**
 * Addresses of the counters of four rows, each of eight bytes: the bucket's number times eight out
 * of the float as it is.
 */
@inline
function countersOfRun<T>(values: usize, row: u32, bases: v128, shift: i32, floors: v128, origins: v128): v128 {
  const floats = f32x4.convert_i32x4_s(i32x4.add(load4<T>(values, row), bases));
  const places = v128.and(i32x4.shr_u(floats, shift), i32x4.splat(~7));
  return i32x4.add(i32x4.max_s(places, floors), origins);
}

/** Addresses of the counters of four rows, of 2^shift bytes each. */
@inline
export function countersOf<T>(
  small: bool, listed: bool, shift: i32, origins: v128, groups: usize, groupsBytes: v128, start: u32, k: u32,
  rows: usize, values: usize, bases: v128, smallBases: v128, subBits: u32,
): v128 {
  const lanes = lanesAt<T>(listed, values, rows, start, k);
  const buckets = small
    ? smallBucketsOf(i32x4.add(lanes, smallBases), subBits)
    : bucketsOf(lanes, bases, subBits);
  const at = i32x4.add(origins, i32x4.shl(buckets, shift));
  return groups ? i32x4.add(at, i32x4.mul(v128.load(groups + (k << 2)), groupsBytes)) : at;
}

@inline
function growFour<W>(
  listed: bool, masked: bool, at: v128, start: u32, k: u32, rows: usize, weights: usize, present: usize,
): void {
  const low = <u64>i64x2.extract_lane(at, 0);
  const high = <u64>i64x2.extract_lane(at, 1);
  if (listed || isVoid<W>()) {
    grow<W>(masked, <u32>low, rowAt(listed, rows, start, k), weights, present);
    grow<W>(masked, <u32>(low >> 32), rowAt(listed, rows, start, k + 1), weights, present);
    grow<W>(masked, <u32>high, rowAt(listed, rows, start, k + 2), weights, present);
    grow<W>(masked, <u32>(high >> 32), rowAt(listed, rows, start, k + 3), weights, present);
  } else {
    // As weightAt reads them, four at once.
    const floored = i32x4.max_u(load4<W>(weights, start + k), i32x4.splat(1));
    const lowWeights = <u64>i64x2.extract_lane(floored, 0);
    const highWeights = <u64>i64x2.extract_lane(floored, 1);
    growBy(masked, <u32>low, start + k, lowWeights & 0xffffffff, present);
    growBy(masked, <u32>(low >> 32), start + k + 1, lowWeights >> 32, present);
    growBy(masked, <u32>high, start + k + 2, highWeights & 0xffffffff, present);
    growBy(masked, <u32>(high >> 32), start + k + 3, highWeights >> 32, present);
  }
}

@inline
function grow<W>(masked: bool, at: usize, row: u32, weights: usize, present: usize): void {
  growBy(masked, at, row, <u64>weightAt<W>(weights, row), present);
}

/** A missing value touches no counter: its bucket may be outside the histogram. */
@inline
function growBy(masked: bool, at: usize, row: u32, weight: u64, present: usize): void {
  if (masked && !bitOf(present, row)) return;
  store<u64>(at, load<u64>(at) + weight);
}

/**
 * Exponent and first bits of the fraction all lie in the upper half of an f64: four fit a register.
 */
@inline
function bucketsOf(values: v128, bases: v128, subBits: u32): v128 {
  const low = f64x2.add(f64x2.convert_low_i32x4_u(values), bases);
  const upper = v128.shuffle<i32>(values, values, 2, 3, 2, 3);
  const high = f64x2.add(f64x2.convert_low_i32x4_u(upper), bases);
  const halves = v128.shuffle<i32>(low, high, 1, 3, 5, 7);
  const tops = i32x4.shr_u(v128.and(halves, i32x4.splat(0x7fffffff)), 20 - subBits);
  const firstOctave = i32x4.splat((1023 << subBits) - 1);
  // Only 0 has a bucket below 1 here.
  const magnitudes = i32x4.max_s(i32x4.sub(tops, firstOctave), i32x4.splat(0));
  const signs = i32x4.shr_s(halves, 31);
  return i32x4.sub(v128.xor(magnitudes, signs), signs);
}

/** Exponent and first bits of the fraction of an f32: one conversion for four rows. */
@inline
function smallBucketsOf(values: v128, subBits: u32): v128 {
  const floats = f32x4.convert_i32x4_s(values);
  const tops = i32x4.shr_u(v128.and(floats, i32x4.splat(0x7fffffff)), 23 - subBits);
  // Only 0 has a bucket below 1 here.
  const magnitudes = i32x4.max_s(i32x4.sub(tops, i32x4.splat((127 << subBits) - 1)), i32x4.splat(0));
  const signs = i32x4.shr_s(floats, 31);
  return i32x4.sub(v128.xor(magnitudes, signs), signs);
}

/** The rows that no four are left of, and values that f64 lanes would round twice. */
function fillRows<T>(
  origin: usize, groups: usize, start: u32, from: u32, count: u32, rows: usize, values: usize,
  base: i64, weights: usize, weightWidth: u32, present: usize, subBits: u32, groupBytes: u32,
): void {
  for (let k = from; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    const bucket = bucketOf(base + valueAt<T>(values, row), subBits);
    if (present && !bitOf(present, row)) continue;
    const at = origin + (bucket << 3) + group * groupBytes;
    store<i64>(at, load<i64>(at) + weightOfWidth(weights, weightWidth, row));
  }
}

/** From the integer itself: an f64 beyond 2^53 may be the next power of two. */
@inline
export function bucketOf(value: i64, subBits: u32): i32 {
  const sign = <i32>(value >> 63);
  const absolute = <u64>((value ^ (value >> 63)) - (value >> 63));
  const zeros = clz<u64>(absolute);
  // The leading one goes; of what follows it the first bits are the step.
  const step = <i32>((absolute << zeros << 1) >> 1 >> (63 - subBits));
  const bucket = (<i32>(63 - zeros) << subBits) + step + 1;
  const magnitude = absolute ? bucket : 0;
  return (magnitude ^ sign) - sign;
}
