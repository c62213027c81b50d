// Integers as codes of a table of their distinct values: which values occur, the table, and back.
import { U24, valueAt, Zero } from "../base/lanes";

export function markValues(marks: usize, values: usize, rowCount: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    const at = values + (i << 2);
    store<u8>(marks + load<u32>(at), 1);
    store<u8>(marks + load<u32>(at, 4), 1);
    store<u8>(marks + load<u32>(at, 8), 1);
    store<u8>(marks + load<u32>(at, 12), 1);
  }
  for (; i < rowCount; i++) store<u8>(marks + load<u32>(values + (i << 2)), 1);
}

export function listMarked(table: usize, codes: usize, marks: usize, count: u32): u32 {
  let listed: u32 = 0;
  for (let value: u32 = 0; value < count; ) {
    // Most of a wide range is not marked.
    if (value + 16 <= count && !v128.any_true(v128.load(marks + value))) {
      value += 16;
      continue;
    }
    const end = min(value + 16, count);
    for (; value < end; value++) {
      if (!load<u8>(marks + value)) continue;
      store<u32>(table + (listed << 2), value);
      store<u32>(codes + (value << 2), listed);
      listed++;
    }
  }
  return listed;
}

export function lookUpCodes(
  out: usize, width: u32, codes: usize, codeWidth: u32, table: usize, tableCount: u32, rowCount: u32,
): void {
  let done: u32 = 0;
  if (codeWidth == 1 && tableCount <= 16) {
    if (width == 4) done = lookUpFew(out, codes, table, tableCount, rowCount);
    else if (width == 1) done = lookUpFewBytes(out, codes, table, tableCount, rowCount);
  }
  lookUpRest(out + done * width, width, codes + done * codeWidth, codeWidth, table, rowCount - done);
}

/**
 * A table of sixteen values fits registers, a byte of each in one. Returns how many rows: all but
 * the last few.
 */
function lookUpFew(out: usize, codes: usize, table: usize, tableCount: u32, rowCount: u32): u32 {
  let first = i8x16.splat(0);
  let second = i8x16.splat(0);
  let third = i8x16.splat(0);
  let fourth = i8x16.splat(0);
  // From the last on, each moved up as the next comes in.
  for (let code = tableCount; code-- > 0; ) {
    const value = load<u32>(table + (code << 2));
    first = pushByte(first, value);
    second = pushByte(second, value >> 8);
    third = pushByte(third, value >> 16);
    fourth = pushByte(fourth, value >> 24);
  }
  const rows = rowCount & ~15;
  for (let row: u32 = 0; row < rows; row += 16) {
    const places = v128.load(codes + row);
    const low = i8x16.swizzle(first, places);
    const high = i8x16.swizzle(second, places);
    const upperLow = i8x16.swizzle(third, places);
    const upperHigh = i8x16.swizzle(fourth, places);
    const a = zipBytes(low, high, false);
    const b = zipBytes(low, high, true);
    const upperA = zipBytes(upperLow, upperHigh, false);
    const upperB = zipBytes(upperLow, upperHigh, true);
    const to = out + (row << 2);
    v128.store(to, v128.shuffle<i16>(a, upperA, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to, v128.shuffle<i16>(a, upperA, 4, 12, 5, 13, 6, 14, 7, 15), 16);
    v128.store(to, v128.shuffle<i16>(b, upperB, 0, 8, 1, 9, 2, 10, 3, 11), 32);
    v128.store(to, v128.shuffle<i16>(b, upperB, 4, 12, 5, 13, 6, 14, 7, 15), 48);
  }
  return rows;
}

function lookUpFewBytes(out: usize, codes: usize, table: usize, tableCount: u32, rowCount: u32): u32 {
  let bytes = i8x16.splat(0);
  for (let code = tableCount; code-- > 0; ) bytes = pushByte(bytes, load<u8>(table + code));
  const rows = rowCount & ~15;
  for (let row: u32 = 0; row < rows; row += 16) {
    v128.store(out + row, i8x16.swizzle(bytes, v128.load(codes + row)));
  }
  return rows;
}

@inline
function pushByte(bytes: v128, value: u32): v128 {
  const moved = i8x16.shuffle(bytes, bytes, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
  return i8x16.replace_lane(moved, 0, <u8>value);
}

@inline
function zipBytes(low: v128, high: v128, upper: bool): v128 {
  return upper
    ? i8x16.shuffle(low, high, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
    : i8x16.shuffle(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
function lookUpRest(
  out: usize, width: u32, codes: usize, codeWidth: u32, table: usize, rowCount: u32,
): void {
  switch (width) {
    case 1: return lookUpTo<u8>(out, codes, codeWidth, table, rowCount);
    case 2: return lookUpTo<u16>(out, codes, codeWidth, table, rowCount);
    case 4: return lookUpTo<u32>(out, codes, codeWidth, table, rowCount);
    case 8: return lookUpTo<i64>(out, codes, codeWidth, table, rowCount);
    default: unreachable();
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
  let i: u32 = 0;
  for (; i + 4 <= rowCount; i += 4) {
    lookUpOne<T, C>(out, codes, table, i);
    lookUpOne<T, C>(out, codes, table, i + 1);
    lookUpOne<T, C>(out, codes, table, i + 2);
    lookUpOne<T, C>(out, codes, table, i + 3);
  }
  for (; i < rowCount; i++) lookUpOne<T, C>(out, codes, table, i);
}

@inline
function lookUpOne<T, C>(out: usize, codes: usize, table: usize, i: u32): void {
  const code = <u32>valueAt<C>(codes, i);
  store<T>(out + i * sizeof<T>(), load<T>(table + code * sizeof<T>()));
}
