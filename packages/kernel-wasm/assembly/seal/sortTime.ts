// Stable sort of row indexes by time, by counting. Only the bits in which times differ are looked at: a
// segment of some minutes takes one pass, one of four hours two, one of a day three.
import { permuteInts } from "./permute";

/** The counters of a pass are 4096 bytes behind the pairs: at most ten bits. */
const DIGIT_BITS_MAX: u32 = 10;

/** A segment's rows fit 16 bits, and so do the bits of its times that the first pass leaves: together a u32. */
const SHORT_ROWS_MAX: u32 = 65536;
/** Two times the counters of twelve bits find room in the scratch of so many rows, behind an element of four bytes for each. */
const SHORT_ROWS_MIN: u32 = 4096;
const SHORT_DIGIT_BITS_MAX: u32 = 12;
const ROW_BITS: u32 = 16;
/** A counter for each millisecond costs less than a second pass while there are no more of them than this for a row. */
const MOMENTS_PER_ROW_MAX: u64 = 6;

/**
 * Where times span less than 2^32, `offsets` gets them in their new order, less the lowest: u32 each.
 * Scratch of segments whose times lie close: a counter of 16 bits for each moment. Of others whose times span up to 2^28
 * (three days): two arrays of u32 that the passes write in turn, each element the bits of the key still to
 * come << 16 | row index, then the counters.
 *
 * Of any others: two arrays of u64, each element key << 32 | row index, then the counters. Keys are 32 bits; a
 * span beyond that is sorted by its low half, then by its high half.
 */
export function sortByTime(
  order: usize, offsets: usize, times: usize, rowCount: u32, lowest: i64, highest: i64, scratch: usize,
): i32 {
  const span = <u64>(highest - lowest);
  const isNarrow = span <= <u64>u32.MAX_VALUE;
  if (ascends(times, rowCount)) {
    writeRowIndexes(order, rowCount);
    if (isNarrow) permuteInts(offsets, 4, times, 8, 0, 0, rowCount, lowest);
    return 1;
  }
  if (rowCount <= SHORT_ROWS_MAX && span < <u64>rowCount * MOMENTS_PER_ROW_MAX) {
    sortByMoments(order, offsets, times, rowCount, scratch, <u32>lowest, <u32>span + 1);
    return 0;
  }
  const spanBits: u32 = 64 - <u32>clz(span);
  const isShort = rowCount >= SHORT_ROWS_MIN && rowCount <= SHORT_ROWS_MAX;
  if (isShort && spanBits <= SHORT_DIGIT_BITS_MAX + ROW_BITS) {
    sortShort(order, times, rowCount, scratch, <u32>lowest, spanBits);
  } else {
    writeRowIndexes(order, rowCount);
    sortByKeys(order, times, rowCount, scratch, lowest, 0, min(spanBits, 32));
    if (spanBits > 32) sortByKeys(order, times, rowCount, scratch, lowest, 32, spanBits - 32);
  }
  if (isNarrow) permuteInts(offsets, 4, times, 8, 0, order, rowCount, lowest);
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

/** Sixteen rows a step; most segments that are not sorted end in the first. */
function ascends(times: usize, rowCount: u32): bool {
  let i: u32 = 1;
  for (; i + 16 <= rowCount; i += 16) {
    const at = times + (i << 3);
    let falls = i64x2.splat(0);
    for (let offset: usize = 0; offset < 128; offset += 16) {
      const before = v128.load(at + offset - 8);
      falls = v128.or(falls, i64x2.gt_s(before, v128.load(at + offset)));
    }
    if (v128.any_true(falls)) return false;
  }
  for (; i < rowCount; i++) {
    const at = times + (i << 3);
    if (load<i64>(at) < load<i64>(at - 8)) return false;
  }
  return true;
}

/**
 * Times that arrive nearly sorted look at few of the counters at a time. Counters of 16 bits hold the positions of so few
 * rows, and their numbers too: only the times of rows that ascend could all be of one moment.
 */
function sortByMoments(
  order: usize, offsets: usize, times: usize, rowCount: u32, counters: usize, lowest: u32, moments: u32,
): void {
  memory.fill(counters, 0, moments << 1);
  // Eight rows a step: what a loop itself costs is a fourth of so short a body.
  let row: u32 = 0;
  for (; row + 8 <= rowCount; row += 8) {
    const at = times + (row << 3);
    growShort(counters, load<u32>(at) - lowest);
    growShort(counters, load<u32>(at, 8) - lowest);
    growShort(counters, load<u32>(at, 16) - lowest);
    growShort(counters, load<u32>(at, 24) - lowest);
    growShort(counters, load<u32>(at, 32) - lowest);
    growShort(counters, load<u32>(at, 40) - lowest);
    growShort(counters, load<u32>(at, 48) - lowest);
    growShort(counters, load<u32>(at, 56) - lowest);
  }
  for (; row < rowCount; row++) growShort(counters, load<u32>(times + (row << 3)) - lowest);
  shortCountersToPositions(counters, moments);
  for (row = 0; row + 8 <= rowCount; row += 8) {
    const at = times + (row << 3);
    placeRow(order, offsets, counters, load<u32>(at) - lowest, row);
    placeRow(order, offsets, counters, load<u32>(at, 8) - lowest, row + 1);
    placeRow(order, offsets, counters, load<u32>(at, 16) - lowest, row + 2);
    placeRow(order, offsets, counters, load<u32>(at, 24) - lowest, row + 3);
    placeRow(order, offsets, counters, load<u32>(at, 32) - lowest, row + 4);
    placeRow(order, offsets, counters, load<u32>(at, 40) - lowest, row + 5);
    placeRow(order, offsets, counters, load<u32>(at, 48) - lowest, row + 6);
    placeRow(order, offsets, counters, load<u32>(at, 56) - lowest, row + 7);
  }
  for (; row < rowCount; row++) placeRow(order, offsets, counters, load<u32>(times + (row << 3)) - lowest, row);
}

@inline
function placeRow(order: usize, offsets: usize, counters: usize, offset: u32, row: u32): void {
  const at = <usize>growShort(counters, offset) << 2;
  store<u32>(order + at, row);
  store<u32>(offsets + at, offset);
}

@inline
function growShort(counters: usize, place: u32): u32 {
  const counter = counters + (place << 1);
  const count = <u32>load<u16>(counter);
  store<u16>(counter, <u16>(count + 1));
  return count;
}

/** As countersToPositions. */
function shortCountersToPositions(counters: usize, count: u32): void {
  const zero = i16x8.splat(0);
  let before = zero;
  let i: u32 = 0;
  for (; i + 8 <= count; i += 8) {
    const at = counters + (i << 1);
    const sizes = v128.load(at);
    let sums = i16x8.add(sizes, v128.shuffle<i16>(zero, sizes, 0, 8, 9, 10, 11, 12, 13, 14));
    sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 0, 1, 8, 9, 10, 11, 12, 13));
    sums = i16x8.add(sums, v128.shuffle<i16>(zero, sums, 0, 1, 2, 3, 8, 9, 10, 11));
    sums = i16x8.add(sums, before);
    v128.store(at, i16x8.sub(sums, sizes));
    before = v128.shuffle<i16>(sums, sums, 7, 7, 7, 7, 7, 7, 7, 7);
  }
  let position = <u32>i16x8.extract_lane_u(before, 0);
  for (; i < count; i++) {
    const counter = counters + (i << 1);
    const size = <u32>load<u16>(counter);
    store<u16>(counter, <u16>position);
    position += size;
  }
}

/** Two passes over the two halves of the key's bits, or three where the halves would have more than twelve. */
function sortShort(
  order: usize, times: usize, rowCount: u32, scratch: usize, lowest: u32, spanBits: u32,
): void {
  const digitBits = min((spanBits + 1) >> 1, SHORT_DIGIT_BITS_MAX);
  const restBits = spanBits - digitBits;
  if (restBits <= SHORT_DIGIT_BITS_MAX) {
    const lows = scratch + (rowCount << 2);
    const highs = lows + (4 << SHORT_DIGIT_BITS_MAX);
    countBothDigits(lows, highs, times, rowCount, lowest, digitBits, restBits);
    scatterTimes(scratch, lows, times, rowCount, lowest, digitBits);
    scatterElements(true, order, highs, scratch, rowCount, ROW_BITS, restBits);
    return;
  }
  const other = scratch + (rowCount << 2);
  const counters = scratch + (rowCount << 3);
  countLowDigits(counters, times, rowCount, lowest, digitBits);
  scatterTimes(scratch, counters, times, rowCount, lowest, digitBits);
  countElements(counters, scratch, rowCount, ROW_BITS, 8);
  scatterElements(false, other, counters, scratch, rowCount, ROW_BITS, 8);
  countElements(counters, other, rowCount, ROW_BITS + 8, restBits - 8);
  scatterElements(true, order, counters, other, rowCount, ROW_BITS + 8, restBits - 8);
}

/** The key fits 32 bits, so their low halves are all of a time that counts. */
@inline
function shortKey(times: usize, row: u32, lowest: u32): u32 {
  return load<u32>(times + (row << 3)) - lowest;
}

@inline
function grow(counter: usize): u32 {
  const count = load<u32>(counter);
  store<u32>(counter, count + 1);
  return count;
}

/** Reads the times once for both passes. */
function countBothDigits(
  lows: usize, highs: usize, times: usize, rowCount: u32, lowest: u32, lowBits: u32, highBits: u32,
): void {
  const mask = (1 << lowBits) - 1;
  memory.fill(lows, 0, 4 << lowBits);
  memory.fill(highs, 0, 4 << highBits);
  let row: u32 = 0;
  for (; row + 2 <= rowCount; row += 2) {
    countBoth(lows, highs, shortKey(times, row, lowest), lowBits, mask);
    countBoth(lows, highs, shortKey(times, row + 1, lowest), lowBits, mask);
  }
  for (; row < rowCount; row++) countBoth(lows, highs, shortKey(times, row, lowest), lowBits, mask);
  countersToPositions(lows, 1 << lowBits);
  countersToPositions(highs, 1 << highBits);
}

@inline
function countBoth(lows: usize, highs: usize, key: u32, lowBits: u32, mask: u32): void {
  grow(lows + ((key & mask) << 2));
  grow(highs + ((key >> lowBits) << 2));
}

function countLowDigits(
  counters: usize, times: usize, rowCount: u32, lowest: u32, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  memory.fill(counters, 0, 4 << bits);
  for (let row: u32 = 0; row < rowCount; row++) {
    grow(counters + ((shortKey(times, row, lowest) & mask) << 2));
  }
  countersToPositions(counters, 1 << bits);
}

function scatterTimes(
  to: usize, counters: usize, times: usize, rowCount: u32, lowest: u32, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let row: u32 = 0;
  for (; row + 4 <= rowCount; row += 4) {
    scatterTime(to, counters, times, row, lowest, mask, bits);
    scatterTime(to, counters, times, row + 1, lowest, mask, bits);
    scatterTime(to, counters, times, row + 2, lowest, mask, bits);
    scatterTime(to, counters, times, row + 3, lowest, mask, bits);
  }
  for (; row < rowCount; row++) scatterTime(to, counters, times, row, lowest, mask, bits);
}

@inline
function scatterTime(
  to: usize, counters: usize, times: usize, row: u32, lowest: u32, mask: u32, bits: u32,
): void {
  const key = shortKey(times, row, lowest);
  const position = grow(counters + ((key & mask) << 2));
  store<u32>(to + (position << 2), ((key >> bits) << ROW_BITS) | row);
}

function countElements(counters: usize, from: usize, rowCount: u32, shift: u32, bits: u32): void {
  const mask = (1 << bits) - 1;
  memory.fill(counters, 0, 4 << bits);
  for (let i: u32 = 0; i < rowCount; i++) {
    grow(counters + (((load<u32>(from + (i << 2)) >> shift) & mask) << 2));
  }
  countersToPositions(counters, 1 << bits);
}

/** The last pass needs no key bits any more: only rows are written. */
@inline
function scatterElements(
  isLast: bool, to: usize, counters: usize, from: usize, rowCount: u32, shift: u32, bits: u32,
): void {
  const mask = (1 << bits) - 1;
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    scatterElement(isLast, to, counters, from, i, shift, mask);
    scatterElement(isLast, to, counters, from, i + 1, shift, mask);
    scatterElement(isLast, to, counters, from, i + 2, shift, mask);
    scatterElement(isLast, to, counters, from, i + 3, shift, mask);
  }
  for (; i < rowCount; i++) scatterElement(isLast, to, counters, from, i, shift, mask);
}

@inline
function scatterElement(
  isLast: bool, to: usize, counters: usize, from: usize, i: u32, shift: u32, mask: u32,
): void {
  const element = load<u32>(from + (i << 2));
  const position = grow(counters + (((element >> shift) & mask) << 2));
  store<u32>(to + (position << 2), isLast ? element & 0xffff : element);
}

/** Each counter's number of elements becomes the position at which the first of them goes. */
function countersToPositions(counters: usize, count: u32): void {
  const zero = i32x4.splat(0);
  let before = zero;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) {
    const at = counters + (i << 2);
    const sizes = v128.load(at);
    // Sums of the lanes so far: of neighbours, of pairs, then of all before.
    let sums = i32x4.add(sizes, v128.shuffle<i32>(zero, sizes, 0, 4, 5, 6));
    sums = i32x4.add(sums, v128.shuffle<i32>(zero, sums, 0, 1, 4, 5));
    sums = i32x4.add(sums, before);
    v128.store(at, i32x4.sub(sums, sizes));
    before = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  let position: u32 = i32x4.extract_lane(before, 0);
  for (; i < count; i++) {
    const counter = counters + (i << 2);
    const size = load<u32>(counter);
    store<u32>(counter, position);
    position += size;
  }
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
  countersToPositions(counters, 1 << bits);
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

/** The last pass: only rows are written, without keys. */
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
