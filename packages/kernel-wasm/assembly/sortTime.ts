// Stable radix sort of row indexes by time. Only the bits in which times differ are looked at: a segment
// of three hours takes three passes, one of a second takes one.
import { findRange } from "./range";

/** The counters of a pass are the scratch's last 4096 bytes: at most ten bits. */
const DIGIT_BITS_MAX: u32 = 10;

/**
 * Scratch: two arrays of u64 that the passes write in turn, each element key << 32 | row index, then the
 * counters. Keys are 32 bits; a span beyond that is sorted by its low half, then by its high half.
 */
export function sortByTime(order: usize, times: usize, rowCount: u32, scratch: usize): i32 {
  writeRowIndexes(order, rowCount);
  if (ascends(times, rowCount)) return 1;
  // The extremes pass through the scratch, before anything else needs it.
  findRange(scratch, times, 0, rowCount);
  const lowest = load<i64>(scratch);
  const span = <u64>(load<i64>(scratch, 8) - lowest);
  const spanBits = 64 - <u32>clz(span);
  sortByKeys(order, times, rowCount, scratch, lowest, 0, min(spanBits, 32));
  if (spanBits > 32) sortByKeys(order, times, rowCount, scratch, lowest, 32, spanBits - 32);
  return 0;
}

function writeRowIndexes(order: usize, rowCount: u32): void {
  let rows = i32x4(0, 1, 2, 3);
  const four = i32x4.splat(4);
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    v128.store(order + (i << 2), rows);
    rows = i32x4.add(rows, four);
  }
  for (; i < rowCount; i++) store<u32>(order + (i << 2), i);
}

function ascends(times: usize, rowCount: u32): bool {
  for (let i: u32 = 1; i < rowCount; i++) {
    const at = times + (i << 3);
    if (load<i64>(at) < load<i64>(at - 8)) return false;
  }
  return true;
}

/** Sorts `order` by bits [shift, shift + bits) of time - lowest. */
function sortByKeys(
  order: usize, times: usize, rowCount: u32, scratch: usize, lowest: i64, shift: u32, bits: u32,
): void {
  let from = scratch;
  let to = scratch + (rowCount << 3);
  const counters = scratch + (rowCount << 4);
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(order + (i << 2));
    const key = <u64>(load<i64>(times + (row << 3)) - lowest) >> <u64>shift;
    store<u64>(from + (i << 3), (key << 32) | <u64>row);
  }
  const passes = (bits + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
  const digitBits = (bits + passes - 1) / passes;
  for (let pass: u32 = 0; pass < passes; pass++) {
    const digitShift = <u64>(32 + pass * digitBits);
    countDigits(counters, from, rowCount, digitShift, digitBits);
    if (pass == passes - 1) scatterRows(order, counters, from, rowCount, digitShift, digitBits);
    else scatterPairs(to, counters, from, rowCount, digitShift, digitBits);
    const swap = from;
    from = to;
    to = swap;
  }
}

@inline
function digitOf(pair: u64, shift: u64, mask: u32): u32 {
  return <u32>(pair >> shift) & mask;
}

/**
 * Counters become the position at which each digit's first element goes. Here and below the counter of
 * the last digit stays in a register: times arrive nearly sorted, so its high digits come in runs.
 */
function countDigits(counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32): void {
  const mask = (1 << bits) - 1;
  memory.fill(counters, 0, 4 << bits);
  let at = counters;
  let count: u32 = 0;
  for (let i: u32 = 0; i < rowCount; i++) {
    const next = counters + (digitOf(load<u64>(from + (i << 3)), shift, mask) << 2);
    if (next != at) {
      store<u32>(at, count);
      at = next;
      count = load<u32>(at);
    }
    count++;
  }
  store<u32>(at, count);
  let position: u32 = 0;
  for (let digit: u32 = 0; digit <= <u32>mask; digit++) {
    const counter = counters + (digit << 2);
    const size = load<u32>(counter);
    store<u32>(counter, position);
    position += size;
  }
}

function scatterPairs(
  to: usize, counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let at = counters;
  let position = load<u32>(at);
  for (let i: u32 = 0; i < rowCount; i++) {
    const pair = load<u64>(from + (i << 3));
    const next = counters + (digitOf(pair, shift, mask) << 2);
    if (next != at) {
      store<u32>(at, position);
      at = next;
      position = load<u32>(at);
    }
    store<u64>(to + (position << 3), pair);
    position++;
  }
}

/** The last pass: the keys have served, only the rows are written. */
function scatterRows(
  order: usize, counters: usize, from: usize, rowCount: u32, shift: u64, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let at = counters;
  let position = load<u32>(at);
  for (let i: u32 = 0; i < rowCount; i++) {
    const pair = load<u64>(from + (i << 3));
    const next = counters + (digitOf(pair, shift, mask) << 2);
    if (next != at) {
      store<u32>(at, position);
      at = next;
      position = load<u32>(at);
    }
    store<u32>(order + (position << 2), <u32>pair);
    position++;
  }
}
