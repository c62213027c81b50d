// Log-linear histograms of rows that count one each, as u32, u16 or u8: a half, a quarter or an
// eighth of the memory of weighted ones, and so more groups in a cache. The buckets are those of
// src/base/logLinear.ts.
import { bitOf } from "../base/bitset";
import { bucketOf, countersOf } from "./histogram";
import { rowAt, strideOf, U24, valueAt, Zero } from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

/** Up to here a base is the same number as an f64, so adding it there rounds as adding it here. */
const EXACT_BASE_MAX: i64 = 1 << 53;

/**
 * `small`: value + base lies within ±2^24, where every integer is an f32. `spilled`: of counters of
 * 8 or 16 bits.
 */
export function countInHistograms(
  counts: usize, counterBytes: u32, spilled: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  width: u32, base: i64, present: usize, small: u32, subBits: u32, firstBucket: i32,
  bucketCount: u32,
): void {
  if (counterBytes == 1) {
    countAs<u8>(counts, spilled, groups, start, count, rows, values, width, base, present, small, subBits, firstBucket, bucketCount);
  } else if (counterBytes == 2) {
    countAs<u16>(counts, spilled, groups, start, count, rows, values, width, base, present, small, subBits, firstBucket, bucketCount);
  } else {
    countAs<u32>(counts, 0, groups, start, count, rows, values, width, base, present, small, subBits, firstBucket, bucketCount);
  }
}

function countAs<C>(
  counts: usize, spilled: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  width: u32, base: i64, present: usize, small: u32, subBits: u32, firstBucket: i32,
  bucketCount: u32,
): void {
  // Bucket b is b - firstBucket counters after the histogram's start: one subtraction for all rows.
  const origin = counts - firstBucket * <i32>sizeof<C>();
  const groupBytes = bucketCount * <u32>sizeof<C>();
  switch (width) {
    case 0: return countConstant<C>(origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
    case 1: return countRows<u8, C>(origin, spilled, groups, start, count, rows, values, base, present, small, subBits, groupBytes);
    case 2: return countRows<u16, C>(origin, spilled, groups, start, count, rows, values, base, present, small, subBits, groupBytes);
    case 3: return countRows<U24, C>(origin, spilled, groups, start, count, rows, values, base, present, small, subBits, groupBytes);
    case 4: return countRows<u32, C>(origin, spilled, groups, start, count, rows, values, base, present, small, subBits, groupBytes);
    case 8: return countWide<C>(origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
    default: unreachable();
  }
}

function countRows<T, C>(
  origin: usize, spilled: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, present: usize, small: u32, subBits: u32, groupBytes: u32,
): void {
  let k: u32 = 0;
  if (small) {
    k = count & ~3;
    count4<T, C>(true, origin, spilled, groups, start, k, rows, values, base, present, subBits, groupBytes);
  } else if (base >= -EXACT_BASE_MAX && base <= EXACT_BASE_MAX) {
    k = count & ~3;
    count4<T, C>(false, origin, spilled, groups, start, k, rows, values, base, present, subBits, groupBytes);
  }
  countRest<T, C>(origin, spilled, groups, start, k, count, rows, values, base, present, subBits, groupBytes);
}

function countConstant<C>(
  origin: usize, spilled: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, present: usize, subBits: u32, groupBytes: u32,
): void {
  countRest<Zero, C>(origin, spilled, groups, start, 0, count, rows, values, base, present, subBits, groupBytes);
}

function countWide<C>(
  origin: usize, spilled: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, present: usize, subBits: u32, groupBytes: u32,
): void {
  countRest<i64, C>(origin, spilled, groups, start, 0, count, rows, values, base, present, subBits, groupBytes);
}

@inline
function count4<T, C>(
  small: bool, origin: usize, spilled: usize, groups: usize, start: u32, count: u32, rows: usize,
  values: usize, base: i64, present: usize, subBits: u32, groupBytes: u32,
): void {
  if (rows) {
    if (present) countLanes<T, C>(small, true, true, origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
    else countLanes<T, C>(small, true, false, origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
  } else {
    if (present) countLanes<T, C>(small, false, true, origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
    else countLanes<T, C>(small, false, false, origin, spilled, groups, start, count, rows, values, base, present, subBits, groupBytes);
  }
}

/**
 * `count` rows, a multiple of four. Addresses of four counters are computed before the previous
 * four are stored: a load waits for earlier stores of unknown address, which took twice the time of
 * all the rest.
 */
@inline
function countLanes<T, C>(
  small: bool, listed: bool, masked: bool, origin: usize, spilled: usize, groups: usize, start: u32,
  count: u32, rows: usize, values: usize, base: i64, present: usize, subBits: u32, groupBytes: u32,
): void {
  if (count == 0) return;
  const bases = f64x2.splat(<f64>base);
  const smallBases = i32x4.splat(<i32>base);
  const origins = i32x4.splat(<i32>origin);
  const groupsBytes = i32x4.splat(groupBytes);
  const shift = <i32>(sizeof<C>() >> 1);
  let at = countersOf<T>(small, listed, shift, origins, groups, groupsBytes, start, 0, rows, values, bases, smallBases, subBits);
  let k: u32 = 0;
  for (; k + 4 < count; k += 4) {
    if (!listed && isRoundStart(k, 4)) readAhead(values + (start + k) * strideOf<T>(), strideOf<T>());
    const next = countersOf<T>(small, listed, shift, origins, groups, groupsBytes, start, k + 4, rows, values, bases, smallBases, subBits);
    growFour<C>(listed, masked, at, spilled, start, k, rows, present);
    at = next;
  }
  growFour<C>(listed, masked, at, spilled, start, k, rows, present);
}

@inline
function growFour<C>(
  listed: bool, masked: bool, at: v128, spilled: usize, start: u32, k: u32, rows: usize, present: usize,
): void {
  const low = <u64>i64x2.extract_lane(at, 0);
  const high = <u64>i64x2.extract_lane(at, 1);
  grow<C>(masked, <u32>low, spilled, rowAt(listed, rows, start, k), present);
  grow<C>(masked, <u32>(low >> 32), spilled, rowAt(listed, rows, start, k + 1), present);
  grow<C>(masked, <u32>high, spilled, rowAt(listed, rows, start, k + 2), present);
  grow<C>(masked, <u32>(high >> 32), spilled, rowAt(listed, rows, start, k + 3), present);
}

/** A missing value touches no counter: its bucket may be outside the histogram. */
@inline
function grow<C>(masked: bool, at: usize, spilled: usize, row: u32, present: usize): void {
  if (masked && !bitOf(present, row)) return;
  countOne<C>(at, spilled);
}

@inline
function countOne<C>(at: usize, spilled: usize): void {
  const before = <u32>load<C>(at);
  if (sizeof<C>() < 4 && before == (1 << <u32>(8 * sizeof<C>())) - 1) spill<C>(at, spilled);
  else store<C>(at, <C>(before + 1));
}

/**
 * A full counter starts again at 1, so that it is never 0, and its address is appended to
 * `spilled`: each entry stands for the counter's whole range. Layout: number of entries, then
 * addresses, u32 each.
 */
function spill<C>(at: usize, spilled: usize): void {
  const known = load<u32>(spilled);
  store<u32>(spilled + (<usize>known << 2), <u32>at, 4);
  store<u32>(spilled, known + 1);
  store<C>(at, 1);
}

@inline
function countRest<T, C>(
  origin: usize, spilled: usize, groups: usize, start: u32, from: u32, count: u32, rows: usize,
  values: usize, base: i64, present: usize, subBits: u32, groupBytes: u32,
): void {
  for (let k = from; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    const bucket = bucketOf(base + valueAt<T>(values, row), subBits);
    countOne<C>(origin + bucket * <i32>sizeof<C>() + group * groupBytes, spilled);
  }
}
