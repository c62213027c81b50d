// Bring columns into the order of a sealed segment, and into the width that its values need.
import { bitOf, laneMask4, lastWordMask, wordCountOf } from "../base/bitset";
import { load4, U24, valueAt } from "../base/lanes";
import { readLines } from "../base/readLines";

/** The low bytes of the value as element i; a constant column stores nothing. */
@inline
function storeAt<T>(out: usize, i: u32, value: i64): void {
  if (!isFloat<T>()) {
    store<T>(out + i * sizeof<T>(), <T>value);
  } else if (sizeof<T>() == 4) {
    store<u16>(out + i * 3, <u16>value);
    store<u8>(out + i * 3, <u8>(value >> 16), 2);
  }
}

export function permuteInts(
  out: usize, width: u32, values: usize, valueWidth: u32, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  if (valueWidth == 4) intsFrom<u32>(out, width, values, present, order, rowCount, base);
  else if (valueWidth == 8) intsFrom<i64>(out, width, values, present, order, rowCount, base);
  else unreachable();
}

function intsFrom<S>(
  out: usize, width: u32, values: usize, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  switch (width) {
    case 0: return;
    case 1: return intsTo<u8, S>(out, values, present, order, rowCount, base);
    case 2: return intsTo<u16, S>(out, values, present, order, rowCount, base);
    case 3: return intsTo<U24, S>(out, values, present, order, rowCount, base);
    case 4: return intsTo<u32, S>(out, values, present, order, rowCount, base);
    case 8: return intsTo<i64, S>(out, values, present, order, rowCount, base);
    default: unreachable();
  }
}

function intsTo<T, S>(
  out: usize, values: usize, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  if (order) {
    readLines(values, <usize>rowCount * sizeof<S>());
    if (present) permutePresent<T, S>(out, values, present, order, rowCount, base);
    else permuteAll<T, S>(out, values, order, rowCount, base);
  } else {
    if (present) narrowRun<T, S>(true, out, values, present, rowCount, base);
    else narrowRun<T, S>(false, out, values, 0, rowCount, base);
  }
}

/** S is the type of the source. Sixteen rows a step where only the low 32 bits are kept. */
@inline
function permuteAll<T, S>(
  out: usize, values: usize, order: usize, rowCount: u32, base: i64,
): void {
  let i: u32 = 0;
  if (isFloat<T>() || sizeof<T>() <= 4) {
    const bases = i32x4.splat(<i32>base);
    // See narrowRun.
    const spilled: u32 = isFloat<T>() ? 2 : 0;
    for (; i + 16 + spilled <= rowCount; i += 16) {
      const a = i32x4.sub(ordered4<S>(values, order, i), bases);
      const b = i32x4.sub(ordered4<S>(values, order, i + 4), bases);
      const c = i32x4.sub(ordered4<S>(values, order, i + 8), bases);
      const d = i32x4.sub(ordered4<S>(values, order, i + 12), bases);
      store16<T>(out, i, a, b, c, d);
    }
  }
  for (; i < rowCount; i++) {
    storeAt<T>(out, i, valueAt<S>(values, load<u32>(order + (i << 2))) - base);
  }
}

/** The low 32 bits of four rows of an order. */
@inline
function ordered4<S>(values: usize, order: usize, i: u32): v128 {
  const at = order + (i << 2);
  const first = load<u64>(at);
  const second = load<u64>(at, 8);
  let lanes = v128.load32_zero(values + <u32>first * <u32>sizeof<S>());
  lanes = v128.load_lane<u32>(values + <u32>(first >> 32) * <u32>sizeof<S>(), lanes, 1);
  lanes = v128.load_lane<u32>(values + <u32>second * <u32>sizeof<S>(), lanes, 2);
  return v128.load_lane<u32>(values + <u32>(second >> 32) * <u32>sizeof<S>(), lanes, 3);
}

@inline
function permutePresent<T, S>(
  out: usize, values: usize, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(order + (i << 2));
    const value = valueAt<S>(values, row) - base;
    storeAt<T>(out, i, value & -(<i64>bitOf(present, row)));
  }
}

/**
 * Rows keep their order: four a step, of which only the low 32 bits count where the target is
 * narrower than 8 bytes.
 */
@inline
function narrowRun<T, S>(
  masked: bool, out: usize, values: usize, present: usize, rowCount: u32, base: i64,
): void {
  let i: u32 = 0;
  if (isFloat<T>() || sizeof<T>() <= 4) {
    const bases = i32x4.splat(<i32>base);
    // A step of three-byte elements writes 16 bytes, of which four belong to the next two rows.
    const spilled: u32 = isFloat<T>() ? 2 : 0;
    for (; i + 4 + spilled <= rowCount; i += 4) {
      let lanes = i32x4.sub(load4<S>(values, i), bases);
      if (masked) lanes = v128.and(lanes, laneMask4(present, i));
      store4<T>(out, i, lanes);
    }
  }
  for (; i < rowCount; i++) {
    const value = valueAt<S>(values, i) - base;
    storeAt<T>(out, i, masked ? value & -(<i64>bitOf(present, i)) : value);
  }
}

/** The low bytes of the lanes as elements i to i + 3. */
@inline
function store4<T>(out: usize, i: u32, lanes: v128): void {
  if (isFloat<T>()) {
    const packed = i8x16(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    v128.store(out + i * 3, i8x16.swizzle(lanes, packed));
  } else if (sizeof<T>() == 1) {
    const packed = i8x16(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    store<u32>(out + i, i32x4.extract_lane(i8x16.swizzle(lanes, packed), 0));
  } else if (sizeof<T>() == 2) {
    const packed = i8x16(0, 1, 4, 5, 8, 9, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1);
    store<i64>(out + (i << 1), i64x2.extract_lane(i8x16.swizzle(lanes, packed), 0));
  } else {
    v128.store(out + (i << 2), lanes);
  }
}

/**
 * As store4, of rows i to i + 15; values fit their elements, which narrowing would otherwise bound.
 */
@inline
function store16<T>(out: usize, i: u32, a: v128, b: v128, c: v128, d: v128): void {
  if (!isFloat<T>() && sizeof<T>() <= 2) {
    const low = i16x8.narrow_i32x4_u(a, b);
    const high = i16x8.narrow_i32x4_u(c, d);
    if (sizeof<T>() == 1) {
      v128.store(out + i, i8x16.narrow_i16x8_u(low, high));
    } else {
      v128.store(out + (i << 1), low);
      v128.store(out + (i << 1), high, 16);
    }
  } else {
    store4<T>(out, i, a);
    store4<T>(out, i + 4, b);
    store4<T>(out, i + 8, c);
    store4<T>(out, i + 12, d);
  }
}

export function permuteCodes(
  out: usize, width: u32, codes: usize, order: usize, rowCount: u32,
): void {
  intsFrom<u32>(out, width, codes, 0, order, rowCount, 0);
}

export function permuteBits(out: usize, bitmap: usize, order: usize, rowCount: u32): void {
  const words = wordCountOf(rowCount);
  if (order == 0) {
    if (words == 0) return;
    memory.copy(out, bitmap, words << 3);
    const last = out + ((words - 1) << 3);
    store<u64>(last, load<u64>(last) & lastWordMask(rowCount));
    return;
  }
  for (let w: u32 = 0; w < words; w++) {
    const first = w << 6;
    const count = min<u32>(64, rowCount - first);
    let word: u64 = 0;
    for (let i: u32 = 0; i < count; i++) {
      word |= (<u64>bitOf(bitmap, load<u32>(order + ((first + i) << 2)))) << <u64>i;
    }
    store<u64>(out + (w << 3), word);
  }
}
