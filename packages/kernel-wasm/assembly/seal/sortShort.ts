// Segments of at most 65,536 rows: an element of 32 bits holds a row and the bits of its time that
// the first pass leaves.
import { countersToPositions, grow } from "./counters";

/**
 * From this number of rows on, twice the counters of twelve bits fit their scratch, behind an
 * element of four bytes for each.
 */
export const SHORT_ROWS_MIN: u32 = 4096;
/** A segment's rows fit 16 bits, and so do the bits of its times that the first pass leaves. */
export const SHORT_ROWS_MAX: u32 = 65536;
export const SHORT_DIGIT_BITS_MAX: u32 = 12;
export const ROW_BITS: u32 = 16;

/**
 * Two passes over the two halves of the key's bits, or three where the halves would have more than
 * twelve.
 */
export function sortShort(
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
