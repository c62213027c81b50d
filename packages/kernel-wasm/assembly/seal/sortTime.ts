// Stable sort of row indexes by time, by counting. Only the bits in which times differ are read: a
// segment of some minutes takes one pass, one of four hours two, one of a day three.
import { permuteInts } from "./permute";
import { sortByKeys } from "./sortKeys";
import { sortByMoments } from "./sortMoments";
import { ROW_BITS, SHORT_DIGIT_BITS_MAX, SHORT_ROWS_MAX, SHORT_ROWS_MIN, sortShort } from "./sortShort";

/**
 * A counter for each millisecond costs less than a second pass while there are no more of them than
 * this for a row.
 */
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
