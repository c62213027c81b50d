// Integers packed as deltas in blocks of 128 rows; the layout is drawn in
// src/operations/seal/packed.ts.
import { valueAt } from "../base/lanes";

export const BLOCK_ROWS: u32 = 128;
export const HEAD_BYTES: usize = 16;
/**
 * Values of one block that are further apart are not packed: offsets within a block must fit an
 * i32.
 */
export const BLOCK_SPAN_MAX: u64 = 1 << 30;

@inline
export function blockCountOf(rowCount: u32): u32 {
  return (rowCount + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

export function measureDeltas(heads: usize, values: usize, width: u32, rowCount: u32): i32 {
  switch (width) {
    case 4: return measure<u32>(heads, values, rowCount);
    case 8: return measure<i64>(heads, values, rowCount);
    default: return unreachable();
  }
}

function measure<T>(heads: usize, values: usize, rowCount: u32): i32 {
  const blocks = blockCountOf(rowCount);
  let words: u32 = 0;
  for (let b: u32 = 0; b < blocks; b++) {
    const from = values + b * BLOCK_ROWS * sizeof<T>();
    const count = min(BLOCK_ROWS, rowCount - b * BLOCK_ROWS);
    const head = heads + b * HEAD_BYTES;
    const bits = sizeof<T>() == 4 && count == BLOCK_ROWS
      ? measureLanes(head, from)
      : measureRows<T>(head, from, count);
    if (bits < 0) return -1;
    store<u32>(head, (words << 8) | bits, 12);
    words += bits;
  }
  return <i32>words;
}

/** Writes all of the head but its last word. Returns the bits of a delta, or -1. */
@inline
function measureRows<T>(head: usize, from: usize, count: u32): i32 {
  const first = valueAt<T>(from, 0);
  let before = first;
  let low = first;
  let high = first;
  let deltaMin = i64.MAX_VALUE;
  let deltaMax = i64.MIN_VALUE;
  for (let i: u32 = 1; i < count; i++) {
    const value = valueAt<T>(from, i);
    low = min(low, value);
    high = max(high, value);
    const delta = value - before;
    deltaMin = min(deltaMin, delta);
    deltaMax = max(deltaMax, delta);
    before = value;
  }
  if (<u64>(high - low) >= BLOCK_SPAN_MAX) return -1;
  if (count == 1) {
    deltaMin = 0;
    deltaMax = 0;
  }
  return writeHead(head, first, <i32>deltaMin, <i32>deltaMax);
}

/** The first row has a delta too, the smallest: all rows are read alike. */
@inline
function writeHead(head: usize, first: i64, deltaMin: i32, deltaMax: i32): i32 {
  store<i64>(head, first - <i64>deltaMin);
  store<i32>(head, deltaMin, 8);
  return 32 - <i32>clz(deltaMax - deltaMin);
}

/** A whole block of u32. The last of the 32 steps looks at three rows for the second time. */
@inline
function measureLanes(head: usize, from: usize): i32 {
  let lows = v128.load(from);
  let highs = lows;
  let deltaMins = i32x4.splat(i32.MAX_VALUE);
  let deltaMaxs = i32x4.splat(i32.MIN_VALUE);
  for (let step: u32 = 0; step < 32; step++) {
    const at = from + (min<u32>(step << 2, BLOCK_ROWS - 5) << 2);
    const after = v128.load(at, 4);
    const deltas = i32x4.sub(after, v128.load(at));
    lows = i32x4.min_u(lows, after);
    highs = i32x4.max_u(highs, after);
    deltaMins = i32x4.min_s(deltaMins, deltas);
    deltaMaxs = i32x4.max_s(deltaMaxs, deltas);
  }
  lows = i32x4.min_u(lows, v128.shuffle<i32>(lows, lows, 2, 3, 0, 1));
  lows = i32x4.min_u(lows, v128.shuffle<i32>(lows, lows, 1, 0, 3, 2));
  highs = i32x4.max_u(highs, v128.shuffle<i32>(highs, highs, 2, 3, 0, 1));
  highs = i32x4.max_u(highs, v128.shuffle<i32>(highs, highs, 1, 0, 3, 2));
  const span = <u32>i32x4.extract_lane(highs, 0) - <u32>i32x4.extract_lane(lows, 0);
  // Deltas of a block that spans less are exact in 32 bits.
  if (<u64>span >= BLOCK_SPAN_MAX) return -1;
  deltaMins = i32x4.min_s(deltaMins, v128.shuffle<i32>(deltaMins, deltaMins, 2, 3, 0, 1));
  deltaMins = i32x4.min_s(deltaMins, v128.shuffle<i32>(deltaMins, deltaMins, 1, 0, 3, 2));
  deltaMaxs = i32x4.max_s(deltaMaxs, v128.shuffle<i32>(deltaMaxs, deltaMaxs, 2, 3, 0, 1));
  deltaMaxs = i32x4.max_s(deltaMaxs, v128.shuffle<i32>(deltaMaxs, deltaMaxs, 1, 0, 3, 2));
  const deltaMin = i32x4.extract_lane(deltaMins, 0);
  return writeHead(head, <i64>load<u32>(from), deltaMin, i32x4.extract_lane(deltaMaxs, 0));
}

/** Row 4 p + lane of a block has its bits at p · bits of the lane's own run of 32-bit words. */
export function packDeltas(
  out: usize, heads: usize, values: usize, width: u32, rowCount: u32,
): void {
  switch (width) {
    case 4: return pack<u32>(out, heads, values, rowCount);
    case 8: return pack<i64>(out, heads, values, rowCount);
    default: unreachable();
  }
}

function pack<T>(out: usize, heads: usize, values: usize, rowCount: u32): void {
  const blocks = blockCountOf(rowCount);
  memory.copy(out, heads, blocks * HEAD_BYTES);
  const words = out + blocks * HEAD_BYTES;
  for (let b: u32 = 0; b < blocks; b++) {
    const head = heads + b * HEAD_BYTES;
    const place = load<u32>(head, 12);
    const from = values + b * BLOCK_ROWS * sizeof<T>();
    const count = min(BLOCK_ROWS, rowCount - b * BLOCK_ROWS);
    packBlock<T>(words + (place >> 8 << 4), place & 0xff, load<i32>(head, 8), from, count);
  }
}

@inline
function packBlock<T>(out: usize, bits: u32, deltaMin: i32, values: usize, count: u32): void {
  if (bits == 0) return;
  const least = i32x4.splat(deltaMin);
  let word = deltasOfRows<T>(values, 0, count, deltaMin);
  let used = bits;
  for (let i: u32 = 4; i < BLOCK_ROWS; i += 4) {
    const deltas = sizeof<T>() == 4 && i + 4 <= count
      ? i32x4.sub(laneDeltas(values, i), least)
      : deltasOfRows<T>(values, i, count, deltaMin);
    word = v128.or(word, i32x4.shl(deltas, used));
    used += bits;
    if (used < 32) continue;
    v128.store(out, word);
    out += 16;
    used -= 32;
    // A shift by 32 would be one by 0.
    word = used == 0 ? i32x4.splat(0) : i32x4.shr_u(deltas, bits - used);
  }
}

@inline
function laneDeltas(values: usize, i: u32): v128 {
  const at = values + (i << 2);
  return i32x4.sub(v128.load(at), v128.load(at - 4));
}

@inline
function deltasOfRows<T>(values: usize, i: u32, count: u32, deltaMin: i32): v128 {
  let deltas = i32x4.splat(deltaAt<T>(values, i, count, deltaMin));
  deltas = i32x4.replace_lane(deltas, 1, deltaAt<T>(values, i + 1, count, deltaMin));
  deltas = i32x4.replace_lane(deltas, 2, deltaAt<T>(values, i + 2, count, deltaMin));
  return i32x4.replace_lane(deltas, 3, deltaAt<T>(values, i + 3, count, deltaMin));
}

/** Past the last row, and in the first, there is no more than the smallest delta. */
@inline
function deltaAt<T>(values: usize, i: u32, count: u32, deltaMin: i32): i32 {
  if (i == 0 || i >= count) return 0;
  return <i32>(valueAt<T>(values, i) - valueAt<T>(values, i - 1)) - deltaMin;
}

export function unpackDeltas(
  out: usize, width: u32, packed: usize, rowCount: u32, base: i64,
): void {
  if (width != 4 && width != 8) unreachable();
  const blocks = blockCountOf(rowCount);
  const words = packed + blocks * HEAD_BYTES;
  for (let b: u32 = 0; b < blocks; b++) {
    const head = packed + b * HEAD_BYTES;
    const start = load<i64>(head) - base;
    const place = load<u32>(head, 12);
    const from = words + (place >> 8 << 4);
    if (width == 4) {
      unpackBlock<u32>(out, from, place & 0xff, load<i32>(head, 8), start);
      out += BLOCK_ROWS * 4;
    } else {
      unpackBlock<i64>(out, from, place & 0xff, load<i32>(head, 8), start);
      out += BLOCK_ROWS * 8;
    }
  }
}

@inline
function unpackBlock<T>(out: usize, words: usize, bits: u32, deltaMin: i32, start: i64): void {
  const mins = i32x4.splat(deltaMin);
  const mask = i32x4.splat(bits == 32 ? -1 : (1 << bits) - 1);
  const starts = i64x2.splat(start);
  let sums = i32x4.splat(sizeof<T>() == 4 ? <i32>start : 0);
  let shift: u32 = 0;
  // One word beyond the block's last is read when its bits end there: the next block's, or the
  // slack's.
  let word = v128.load(words);
  for (let i: u32 = 0; i < BLOCK_ROWS; i += 4) {
    let deltas = i32x4.shr_u(word, shift);
    shift += bits;
    if (shift >= 32) {
      shift -= 32;
      words += 16;
      word = v128.load(words);
      if (shift > 0) deltas = v128.or(deltas, i32x4.shl(word, bits - shift));
    }
    deltas = i32x4.add(v128.and(deltas, mask), mins);
    // Sums of the lanes so far: of neighbours, of pairs, then of all before.
    const zero = i32x4.splat(0);
    deltas = i32x4.add(deltas, v128.shuffle<i32>(zero, deltas, 0, 4, 5, 6));
    deltas = i32x4.add(deltas, v128.shuffle<i32>(zero, deltas, 0, 1, 4, 5));
    sums = i32x4.add(sums, deltas);
    if (sizeof<T>() == 4) {
      v128.store(out, sums);
      out += 16;
    } else {
      v128.store(out, i64x2.add(i64x2.extend_low_i32x4_s(sums), starts));
      v128.store(out, i64x2.add(i64x2.extend_high_i32x4_s(sums), starts), 16);
      out += 32;
    }
    sums = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
}
