// Where packed values that ascend reach a bound: see packed.ts.
import { BLOCK_ROWS, BLOCK_SPAN_MAX, blockCountOf, HEAD_BYTES } from "./packed";
import { LINE_SHIFT, readLine } from "../base/readLines";

/** Bounds whose lines are on their way together. */
const BATCH: u32 = 64;

export function lowerBoundOfPacked(packed: usize, rowCount: u32, bound: i64): u32 {
  const blocks = blockCountOf(rowCount);
  return rowFrom(packed, blocks, rowCount, firstBlockFrom(packed, blocks, bound), bound);
}

/**
 * The same of many bounds (less `base`), as u32 from `out` on. Little of a segment's times is in a
 * cache: what the searches will look at is fetched for all of them before any waits for its own.
 */
export function lowerBoundsOfPacked(
  out: usize, packed: usize, rowCount: u32, bounds: usize, count: u32, base: i64,
): void {
  const blocks = blockCountOf(rowCount);
  for (let from: u32 = 0; from < count; from += BATCH) {
    const to = min(from + BATCH, count);
    readGuesses(packed, blocks, bounds, from, to, base);
    for (let i = from; i < to; i++) {
      const block = firstBlockFrom(packed, blocks, load<i64>(bounds + (i << 3)) - base);
      store<u32>(out + (i << 2), block);
      if (block > 0) readBlock(packed, blocks, block - 1);
    }
    for (let i = from; i < to; i++) {
      const at = out + (i << 2);
      store<u32>(at, rowFrom(packed, blocks, rowCount, load<u32>(at), load<i64>(bounds + (i << 3)) - base));
    }
  }
}

@inline
function readGuesses(packed: usize, blocks: u32, bounds: usize, from: u32, to: u32, base: i64): void {
  if (blocks == 0) return;
  const last = blocks - 1;
  const first = firstOfBlock(packed, 0);
  const span = <f64>firstOfBlock(packed, last) - <f64>first;
  for (let i = from; i < to; i++) {
    const guess = guessOf(first, span, last, load<i64>(bounds + (i << 3)) - base);
    readLine(packed + guess * HEAD_BYTES);
  }
}

/** Has the words of a block in the cache. */
@inline
function readBlock(packed: usize, blocks: u32, block: u32): void {
  const place = load<u32>(packed + block * HEAD_BYTES, 12);
  const from = packed + blocks * HEAD_BYTES + (place >> 8 << 4);
  const end = from + (<usize>(place & 0xff) << 4);
  for (let at = from; at < end; at += 1 << LINE_SHIFT) readLine(at);
}

/** `low`: the first block whose first value is at the bound or above it. */
@inline
function rowFrom(packed: usize, blocks: u32, rowCount: u32, low: u32, bound: i64): u32 {
  if (low == 0) return 0;
  const head = packed + (low - 1) * HEAD_BYTES;
  const first = (low - 1) * BLOCK_ROWS;
  const end = first + min(BLOCK_ROWS, rowCount - first);
  // Values of a block are less than 2^30 apart, and its first is below the bound.
  const deltaMin = load<i32>(head, 8);
  const beyond = <u64>(bound - (load<i64>(head) + <i64>deltaMin));
  if (beyond >= BLOCK_SPAN_MAX) return end;
  const place = load<u32>(head, 12);
  const words = packed + blocks * HEAD_BYTES + (place >> 8 << 4);
  return min(end, first + reachOf(words, place & 0xff, deltaMin, <i32>beyond + deltaMin));
}

/**
 * How many of a block's rows are below the target, by four a step; of ascending values, so of what
 * stands past the last row too.
 */
@inline
function reachOf(words: usize, bits: u32, deltaMin: i32, target: i32): u32 {
  const mins = i32x4.splat(deltaMin);
  const mask = i32x4.splat(bits == 32 ? -1 : (1 << bits) - 1);
  const zero = i32x4.splat(0);
  const targets = i32x4.splat(target);
  let sums = zero;
  let shift: u32 = 0;
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
    deltas = i32x4.add(deltas, v128.shuffle<i32>(zero, deltas, 0, 4, 5, 6));
    deltas = i32x4.add(deltas, v128.shuffle<i32>(zero, deltas, 0, 1, 4, 5));
    sums = i32x4.add(sums, deltas);
    const reached = i32x4.bitmask(i32x4.ge_s(sums, targets));
    if (reached != 0) return i + ctz(reached);
    sums = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  return BLOCK_ROWS;
}

@inline
function firstOfBlock(packed: usize, block: u32): i64 {
  const head = packed + block * HEAD_BYTES;
  return load<i64>(head) + <i64>load<i32>(head, 8);
}

/**
 * The first block whose first value is at the bound or above it: its row is there or in the one
 * before. Heads are in no cache, and those of times grow about evenly: what lies around a guess is
 * halved, not all of them.
 */
@inline
function firstBlockFrom(packed: usize, blocks: u32, bound: i64): u32 {
  if (blocks == 0) return 0;
  const last = blocks - 1;
  const first = firstOfBlock(packed, 0);
  const span = <f64>firstOfBlock(packed, last) - <f64>first;
  const guess = guessOf(first, span, last, bound);
  // Blocks before `low` are below the bound, those from `high` on are not.
  let low: u32 = 0;
  let high = blocks;
  const isBelow = firstOfBlock(packed, guess) < bound;
  if (isBelow) low = guess + 1;
  else high = guess;
  for (let step: u32 = 2; low < high; step <<= 1) {
    const at = isBelow ? min(low + step, high) - 1 : max(high, low + step) - step;
    if (firstOfBlock(packed, at) < bound) {
      low = at + 1;
      if (!isBelow) break;
    } else {
      high = at;
      if (isBelow) break;
    }
  }
  while (low < high) {
    const middle = (low + high) >> 1;
    if (firstOfBlock(packed, middle) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a bound would be if values grew evenly from `first` by `span`. */
@inline
function guessOf(first: i64, span: f64, last: u32, bound: i64): u32 {
  const share = span > 0 ? (<f64>bound - <f64>first) / span : 0;
  return <u32>max(0, min(<f64>last, share * <f64>last));
}
