// Group by integers: 0 is the group of missing values, value - base + 1 the others.
import { bitOf, laneMask4 } from "../base/bitset";
import { addComponent, addComponents4 } from "./component";
import { load4, rowAt, strideOf, U24, valueAt, Zero } from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

export function addIntGroups(
  out: usize, values: usize, width: u32, present: usize, start: u32, count: u32, rows: usize,
  base: i64, stride: u32,
): void {
  switch (width) {
    case 0: return addInts<Zero, u32>(out, values, present, start, count, rows, base, stride);
    case 1: return addInts<u8, u32>(out, values, present, start, count, rows, base, stride);
    case 2: return addInts<u16, u32>(out, values, present, start, count, rows, base, stride);
    case 3: return addInts<U24, u32>(out, values, present, start, count, rows, base, stride);
    case 4: return addInts<u32, u32>(out, values, present, start, count, rows, base, stride);
    case 8: return addInts<i64, u32>(out, values, present, start, count, rows, base, stride);
    default: unreachable();
  }
}

export function addIntKeys(
  keys: usize, values: usize, width: u32, present: usize, start: u32, count: u32, rows: usize,
  base: i64, multiplier: u64,
): void {
  switch (width) {
    case 0: return addInts<Zero, u64>(keys, values, present, start, count, rows, base, multiplier);
    case 1: return addInts<u8, u64>(keys, values, present, start, count, rows, base, multiplier);
    case 2: return addInts<u16, u64>(keys, values, present, start, count, rows, base, multiplier);
    case 3: return addInts<U24, u64>(keys, values, present, start, count, rows, base, multiplier);
    case 4: return addInts<u32, u64>(keys, values, present, start, count, rows, base, multiplier);
    case 8: return addInts<i64, u64>(keys, values, present, start, count, rows, base, multiplier);
    default: unreachable();
  }
}

/**
 * All modulo 2^32 (keys: 2^64): a base beyond the width, or a wide value, needs only its low bits.
 */
function addInts<T, K>(
  out: usize, values: usize, present: usize, start: u32, count: u32, rows: usize, base: i64,
  factor: u64,
): void {
  const shift = 1 - base;
  if (rows) {
    if (present) addIntsOf<T, K>(true, true, out, values, present, start, 0, count, rows, shift, factor);
    else addIntsOf<T, K>(true, false, out, values, present, start, 0, count, rows, shift, factor);
  } else if (present) {
    let k: u32 = 0;
    if (sizeof<K>() == 4) {
      k = min(-start & 3, count);
      addIntsOf<T, K>(false, true, out, values, present, start, 0, k, rows, shift, factor);
      const shifts = i32x4.splat(<u32>shift);
      const factors = i32x4.splat(<u32>factor);
      for (; k + 4 <= count; k += 4) {
        if (isRoundStart(k, 4)) readAhead(values + (start + k) * strideOf<T>(), strideOf<T>());
        const component = i32x4.add(load4<T>(values, start + k), shifts);
        const mask = laneMask4(present, start + k);
        addComponents4(out, k, v128.and(component, mask), factors);
      }
    }
    addIntsOf<T, K>(false, true, out, values, present, start, k, count, rows, shift, factor);
  } else {
    let k: u32 = 0;
    if (sizeof<K>() == 4) {
      const shifts = i32x4.splat(<u32>shift);
      const factors = i32x4.splat(<u32>factor);
      for (; k + 4 <= count; k += 4) {
        if (isRoundStart(k, 4)) readAhead(values + (start + k) * strideOf<T>(), strideOf<T>());
        addComponents4(out, k, i32x4.add(load4<T>(values, start + k), shifts), factors);
      }
    }
    addIntsOf<T, K>(false, false, out, values, present, start, k, count, rows, shift, factor);
  }
}

@inline
function addIntsOf<T, K>(
  listed: bool, masked: bool, out: usize, values: usize, present: usize, start: u32, from: u32,
  count: u32, rows: usize, shift: i64, factor: u64,
): void {
  for (let k = from; k < count; k++) {
    const row = rowAt(listed, rows, start, k);
    let component = <u64>(valueAt<T>(values, row) + shift);
    if (masked) component &= -(<u64>bitOf(present, row));
    addComponent<K>(out, k, component, factor);
  }
}
