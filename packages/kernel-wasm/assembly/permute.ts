// Bring columns into the order of a sealed segment, and into the width that its values need.
import { bitOf, wordCountOf } from "./bitset";
import { U24 } from "./lanes";

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
  out: usize, width: u32, values: usize, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  switch (width) {
    case 0: return;
    case 1: return permuteIntsTo<u8>(out, values, present, order, rowCount, base);
    case 2: return permuteIntsTo<u16>(out, values, present, order, rowCount, base);
    case 3: return permuteIntsTo<U24>(out, values, present, order, rowCount, base);
    case 4: return permuteIntsTo<u32>(out, values, present, order, rowCount, base);
    case 8: return permuteIntsTo<i64>(out, values, present, order, rowCount, base);
    default: unreachable();
  }
}

function permuteIntsTo<T>(
  out: usize, values: usize, present: usize, order: usize, rowCount: u32, base: i64,
): void {
  if (present) {
    for (let i: u32 = 0; i < rowCount; i++) {
      const row = load<u32>(order + (i << 2));
      const value = load<i64>(values + (row << 3)) - base;
      storeAt<T>(out, i, value & -(<i64>bitOf(present, row)));
    }
  } else {
    for (let i: u32 = 0; i < rowCount; i++) {
      const row = load<u32>(order + (i << 2));
      storeAt<T>(out, i, load<i64>(values + (row << 3)) - base);
    }
  }
}

export function permuteCodes(
  out: usize, width: u32, codes: usize, order: usize, rowCount: u32,
): void {
  switch (width) {
    case 0: return;
    case 1: return permuteCodesTo<u8>(out, codes, order, rowCount);
    case 2: return permuteCodesTo<u16>(out, codes, order, rowCount);
    case 3: return permuteCodesTo<U24>(out, codes, order, rowCount);
    case 4: return permuteCodesTo<u32>(out, codes, order, rowCount);
    case 8: return permuteCodesTo<u64>(out, codes, order, rowCount);
    default: unreachable();
  }
}

function permuteCodesTo<T>(out: usize, codes: usize, order: usize, rowCount: u32): void {
  for (let i: u32 = 0; i < rowCount; i++) {
    const row = load<u32>(order + (i << 2));
    storeAt<T>(out, i, <i64>load<u32>(codes + (row << 2)));
  }
}

export function permuteBits(out: usize, bitmap: usize, order: usize, rowCount: u32): void {
  const words = wordCountOf(rowCount);
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
