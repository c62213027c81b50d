// Integers of a few distinct values as codes of a byte, brought into the order of a sealed segment
// in the same step; and what all rows of each code weigh.
import { bitOf } from "../base/bitset";
import { valueAt, weightAt } from "../base/lanes";
import { readLines } from "../base/readLines";

/** A byte distinguishes this many values and "not seen yet". */
const CODES_MAX: u32 = 255;
const STEP_ROWS: u32 = 128;

/**
 * Neighbouring rows add to different counters: equal codes in sequence do not wait for each other.
 */
const BANKS: u32 = 4;
const BANK_BYTES: usize = 256 * 4;
/** So few codes are compared with all rows. */
const FEW_CODES: u32 = 16;
/** 16 bits fit the weights of 128 times 16 rows of two bytes. */
const FEW_ROWS: u32 = 2048;

export function codeInts(
  out: usize, values: usize, valueWidth: u32, present: usize, order: usize, rowCount: u32, base: i64, codeOf: usize,
  table: usize,
): i32 {
  if (valueWidth == 4) return codeFrom<u32>(out, values, present, order, rowCount, <u32>base, codeOf, table);
  if (valueWidth == 8) return codeFrom<i64>(out, values, present, order, rowCount, <u32>base, codeOf, table);
  unreachable();
  return -1;
}

function codeFrom<S>(
  out: usize, values: usize, present: usize, order: usize, rowCount: u32, base: u32, codeOf: usize, table: usize,
): i32 {
  if (order) {
    readLines(values, <usize>rowCount * sizeof<S>());
    if (present) return codeRows<S>(true, true, out, values, present, order, rowCount, base, codeOf, table);
    return codeRows<S>(true, false, out, values, 0, order, rowCount, base, codeOf, table);
  }
  if (present) return codeRows<S>(false, true, out, values, present, 0, rowCount, base, codeOf, table);
  return codeRows<S>(false, false, out, values, 0, 0, rowCount, base, codeOf, table);
}

/** Rows are coded as if all their values were known, and once more where one was not. */
@inline
function codeRows<S>(
  ordered: bool, masked: bool, out: usize, values: usize, present: usize, order: usize, rowCount: u32, base: u32, codeOf: usize, table: usize,
): i32 {
  let known: u32 = 0;
  for (let from: u32 = 0; from < rowCount; from += STEP_ROWS) {
    const to = min(from + STEP_ROWS, rowCount);
    codeStep<S>(ordered, masked, out, values, present, order, from, to, base, codeOf);
    if (to - from == STEP_ROWS && areKnown(out + from)) continue;
    for (let i = from; i < to; i++) {
      known = learn(codeOf, table, offsetAt<S>(ordered, masked, values, present, order, i, base), known);
      if (known > CODES_MAX) return -1;
    }
    codeStep<S>(ordered, masked, out, values, present, order, from, to, base, codeOf);
    for (let i = from; i < to; i++) store<u8>(out + i, load<u8>(out + i) - 1);
  }
  return known;
}

@inline
function codeStep<S>(
  ordered: bool, masked: bool, out: usize, values: usize, present: usize, order: usize, from: u32, to: u32, base: u32, codeOf: usize,
): void {
  let i = from;
  if (!masked) {
    // Where the code of 0 would be.
    const codes = codeOf - base;
    for (; i + 8 <= to; i += 8) {
      const at = order + (i << 2);
      codePair<S>(out + i, values, codes, ordered ? load<u64>(at) : pairFrom(i));
      codePair<S>(out + i + 2, values, codes, ordered ? load<u64>(at, 8) : pairFrom(i + 2));
      codePair<S>(out + i + 4, values, codes, ordered ? load<u64>(at, 16) : pairFrom(i + 4));
      codePair<S>(out + i + 6, values, codes, ordered ? load<u64>(at, 24) : pairFrom(i + 6));
    }
  }
  for (; i < to; i++) {
    store<u8>(out + i, load<u8>(codeOf + offsetAt<S>(ordered, masked, values, present, order, i, base)));
  }
}

/** Two rows, the second one's number in the upper half. */
@inline
function codePair<S>(out: usize, values: usize, codes: usize, rows: u64): void {
  store<u8>(out, load<u8>(codes + load<u32>(values + <u32>rows * <u32>sizeof<S>())));
  store<u8>(out, load<u8>(codes + load<u32>(values + <u32>(rows >> 32) * <u32>sizeof<S>())), 1);
}

@inline
function pairFrom(row: u32): u64 {
  return (<u64>(row + 1) << 32) | row;
}

/** Whether every row of a step has a code above 0; then they count from 0. */
@inline
function areKnown(codes: usize): bool {
  let least = v128.load(codes);
  for (let i: usize = 16; i < STEP_ROWS; i += 16) least = i8x16.min_u(least, v128.load(codes + i));
  if (!i8x16.all_true(least)) return false;
  const one = i8x16.splat(1);
  for (let i: usize = 0; i < STEP_ROWS; i += 16) v128.store(codes + i, i8x16.sub(v128.load(codes + i), one));
  return true;
}

/** The low half of a row's value - base, 0 where it has none. */
@inline
function offsetAt<S>(ordered: bool, masked: bool, values: usize, present: usize, order: usize, i: u32, base: u32): u32 {
  const row = ordered ? load<u32>(order + (i << 2)) : i;
  const offset = load<u32>(values + row * sizeof<S>()) - base;
  return masked ? offset & -<u32>bitOf(present, row) : offset;
}

/**
 * The next code is the value's, if it has none. Returns how many there are: above CODES_MAX this
 * one has found none.
 */
@inline
function learn(codeOf: usize, table: usize, offset: u32, known: u32): u32 {
  if (known > CODES_MAX || load<u8>(codeOf + offset)) return known;
  if (known < CODES_MAX) {
    store<u32>(table + (known << 2), offset);
    store<u8>(codeOf + offset, known + 1);
  }
  return known + 1;
}

export function weighCodes(
  sums: usize, codes: usize, codeCount: u32, rowCount: u32, weights: usize, weightWidth: u32,
): void {
  memory.fill(sums, 0, BANKS * BANK_BYTES);
  let from: u32 = 0;
  if (codeCount <= FEW_CODES && weightWidth <= 1) {
    from = rowCount & ~(FEW_ROWS - 1);
    for (let code: u32 = 0; code < codeCount; code += 4) {
      if (weightWidth == 0) weighFour<void>(sums, codes, code, from, weights);
      else weighFour<u8>(sums, codes, code, from, weights);
    }
  }
  switch (weightWidth) {
    case 0: weigh<void>(sums, codes, from, rowCount, weights); break;
    case 1: weigh<u8>(sums, codes, from, rowCount, weights); break;
    case 2: weigh<u16>(sums, codes, from, rowCount, weights); break;
    case 4: weigh<u32>(sums, codes, from, rowCount, weights); break;
    default: unreachable();
  }
  for (let at = sums; at < sums + BANK_BYTES; at += 16) {
    const pair = i32x4.add(v128.load(at), v128.load(at, BANK_BYTES));
    const other = i32x4.add(v128.load(at, 2 * BANK_BYTES), v128.load(at, 3 * BANK_BYTES));
    v128.store(at, i32x4.add(pair, other));
  }
}

/** Four codes at a time: each is compared with those of sixteen rows at once. */
function weighFour<W>(sums: usize, codes: usize, code: u32, rowCount: u32, weights: usize): void {
  const first = i8x16.splat(<u8>code);
  const second = i8x16.splat(<u8>(code + 1));
  const third = i8x16.splat(<u8>(code + 2));
  const fourth = i8x16.splat(<u8>(code + 3));
  const one = i8x16.splat(1);
  for (let from: u32 = 0; from < rowCount; from += FEW_ROWS) {
    let a = i16x8.splat(0);
    let b = i16x8.splat(0);
    let c = i16x8.splat(0);
    let d = i16x8.splat(0);
    for (let row = from; row < from + FEW_ROWS; row += 16) {
      const places = v128.load(codes + row);
      const weight = isVoid<W>() ? one : i8x16.max_u(v128.load(weights + row), one);
      a = i16x8.add(a, weightsWhere(i8x16.eq(places, first), weight));
      b = i16x8.add(b, weightsWhere(i8x16.eq(places, second), weight));
      c = i16x8.add(c, weightsWhere(i8x16.eq(places, third), weight));
      d = i16x8.add(d, weightsWhere(i8x16.eq(places, fourth), weight));
    }
    const at = sums + (<usize>code << 2);
    addLanes(at, a);
    addLanes(at + 4, b);
    addLanes(at + 8, c);
    addLanes(at + 12, d);
  }
}

@inline
function weightsWhere(mask: v128, weights: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(v128.and(mask, weights));
}

@inline
function addLanes(at: usize, lanes: v128): void {
  const pairs = i32x4.extadd_pairwise_i16x8_u(lanes);
  const halves = i64x2.add(i64x2.extend_low_i32x4_u(pairs), i64x2.extend_high_i32x4_u(pairs));
  store<u32>(at, load<u32>(at) + <u32>(i64x2.extract_lane(halves, 0) + i64x2.extract_lane(halves, 1)));
}

function weigh<W>(sums: usize, codes: usize, from: u32, rowCount: u32, weights: usize): void {
  let i = from;
  for (; i + BANKS <= rowCount; i += BANKS) {
    grow<W>(sums, codes, weights, i);
    grow<W>(sums + BANK_BYTES, codes, weights, i + 1);
    grow<W>(sums + 2 * BANK_BYTES, codes, weights, i + 2);
    grow<W>(sums + 3 * BANK_BYTES, codes, weights, i + 3);
  }
  for (; i < rowCount; i++) grow<W>(sums, codes, weights, i);
}

@inline
function grow<W>(sums: usize, codes: usize, weights: usize, i: u32): void {
  const at = sums + (<usize>valueAt<u8>(codes, i) << 2);
  store<u32>(at, load<u32>(at) + <u32>weightAt<W>(weights, i));
}
