// Integers packed as deltas in blocks of 128 rows; the layout is drawn in src/operations/packed.ts.
import { U24, valueAt, Zero } from "./lanes";

const BLOCK_ROWS: u32 = 128;
const HEAD_BYTES: usize = 16;
/** Values of one block that lie further apart are not packed: offsets within a block have to fit an i32. */
const BLOCK_SPAN_MAX: u64 = 1 << 30;

@inline
function blockCountOf(rowCount: u32): u32 {
  return (rowCount + BLOCK_ROWS - 1) / BLOCK_ROWS;
}

export function measureDeltas(heads: usize, values: usize, rowCount: u32): i32 {
  const blocks = blockCountOf(rowCount);
  let words: u32 = 0;
  for (let b: u32 = 0; b < blocks; b++) {
    const from = values + b * BLOCK_ROWS * 8;
    const count = min(BLOCK_ROWS, rowCount - b * BLOCK_ROWS);
    const first = load<i64>(from);
    let before = first;
    let low = first;
    let high = first;
    let deltaMin = i64.MAX_VALUE;
    let deltaMax = i64.MIN_VALUE;
    for (let i: u32 = 1; i < count; i++) {
      const value = load<i64>(from + (i << 3));
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
    const bits = 64 - <u32>clz(<u64>(deltaMax - deltaMin));
    const head = heads + b * HEAD_BYTES;
    // The first row has a delta too, the smallest: all rows are read alike.
    store<i64>(head, first - deltaMin);
    store<i32>(head, <i32>deltaMin, 8);
    store<u32>(head, (words << 8) | bits, 12);
    words += bits;
  }
  return <i32>words;
}

/** Row 4 p + lane of a block has its bits at p · bits of the lane's own run of 32-bit words. */
export function packDeltas(out: usize, heads: usize, values: usize, rowCount: u32): void {
  const blocks = blockCountOf(rowCount);
  memory.copy(out, heads, blocks * HEAD_BYTES);
  const words = out + blocks * HEAD_BYTES;
  for (let b: u32 = 0; b < blocks; b++) {
    const head = heads + b * HEAD_BYTES;
    const place = load<u32>(head, 12);
    const from = values + b * BLOCK_ROWS * 8;
    const count = min(BLOCK_ROWS, rowCount - b * BLOCK_ROWS);
    packBlock(words + (place >> 8 << 4), place & 0xff, load<i32>(head, 8), from, count);
  }
}

function packBlock(out: usize, bits: u32, deltaMin: i64, values: usize, count: u32): void {
  if (bits == 0) return;
  let word = i32x4.splat(0);
  let used: u32 = 0;
  for (let i: u32 = 0; i < BLOCK_ROWS; i += 4) {
    let deltas = i32x4.splat(deltaAt(values, i, count, deltaMin));
    deltas = i32x4.replace_lane(deltas, 1, deltaAt(values, i + 1, count, deltaMin));
    deltas = i32x4.replace_lane(deltas, 2, deltaAt(values, i + 2, count, deltaMin));
    deltas = i32x4.replace_lane(deltas, 3, deltaAt(values, i + 3, count, deltaMin));
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

/** Past the last row, and in the first, there is no more than the smallest delta. */
@inline
function deltaAt(values: usize, i: u32, count: u32, deltaMin: i64): i32 {
  if (i == 0 || i >= count) return 0;
  const at = values + (i << 3);
  return <i32>(load<i64>(at) - load<i64>(at - 8) - deltaMin);
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
  // One word beyond the block's last is read when its bits end there: the next block's, or the slack's.
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

export function lowerBoundOfPacked(packed: usize, rowCount: u32, bound: i64): u32 {
  const blocks = blockCountOf(rowCount);
  // The first block whose first value is at the bound or above it: the row is there or in the one before.
  let low: u32 = 0;
  let high = blocks;
  while (low < high) {
    const middle = (low + high) >> 1;
    const head = packed + middle * HEAD_BYTES;
    if (load<i64>(head) + <i64>load<i32>(head, 8) < bound) low = middle + 1;
    else high = middle;
  }
  if (low == 0) return 0;
  const head = packed + (low - 1) * HEAD_BYTES;
  const place = load<u32>(head, 12);
  const bits = place & 0xff;
  const words = packed + blocks * HEAD_BYTES + (place >> 8 << 4);
  const first = (low - 1) * BLOCK_ROWS;
  const count = min(BLOCK_ROWS, rowCount - first);
  let value = load<i64>(head);
  for (let i: u32 = 0; i < count; i++) {
    value += <i64>load<i32>(head, 8) + <i64>packedDelta(words, bits, i);
    if (value >= bound) return first + i;
  }
  return first + count;
}

@inline
function packedDelta(words: usize, bits: u32, i: u32): u32 {
  if (bits == 0) return 0;
  const bit = (i >> 2) * bits;
  const at = words + (bit >> 5 << 4) + ((i & 3) << 2);
  const shift = bit & 31;
  let delta = load<u32>(at) >> shift;
  if (shift + bits > 32) delta |= load<u32>(at, 16) << (32 - shift);
  return bits == 32 ? delta : delta & ((1 << bits) - 1);
}

export function lookUpCodes(
  out: usize, width: u32, codes: usize, codeWidth: u32, table: usize, rowCount: u32,
): void {
  if (width == 4) {
    lookUpTo<u32>(out, codes, codeWidth, table, rowCount);
  } else if (width == 8) {
    lookUpTo<i64>(out, codes, codeWidth, table, rowCount);
  } else {
    unreachable();
  }
}

@inline
function lookUpTo<T>(out: usize, codes: usize, codeWidth: u32, table: usize, rowCount: u32): void {
  switch (codeWidth) {
    case 0: return lookUp<T, Zero>(out, codes, table, rowCount);
    case 1: return lookUp<T, u8>(out, codes, table, rowCount);
    case 2: return lookUp<T, u16>(out, codes, table, rowCount);
    case 3: return lookUp<T, U24>(out, codes, table, rowCount);
    case 4: return lookUp<T, u32>(out, codes, table, rowCount);
    default: unreachable();
  }
}

function lookUp<T, C>(out: usize, codes: usize, table: usize, rowCount: u32): void {
  for (let i: u32 = 0; i < rowCount; i++) {
    const code = <u32>valueAt<C>(codes, i);
    store<T>(out + i * sizeof<T>(), load<T>(table + code * sizeof<T>()));
  }
}
