// Group by dictionary codes.
import { addComponent, addComponents4 } from "./component";
import { load4, rowAt, strideOf, U24, valueAt, Zero } from "../base/lanes";
import { isRoundStart, readAhead } from "../base/readAhead";

export function addCodeGroups(
  out: usize, values: usize, width: u32, start: u32, count: u32, rows: usize, stride: u32,
): void {
  switch (width) {
    case 0: return addCodes<Zero, u32>(out, values, start, count, rows, stride);
    case 1: return addCodes<u8, u32>(out, values, start, count, rows, stride);
    case 2: return addCodes<u16, u32>(out, values, start, count, rows, stride);
    case 3: return addCodes<U24, u32>(out, values, start, count, rows, stride);
    case 4: return addCodes<u32, u32>(out, values, start, count, rows, stride);
    case 8: return addCodes<i64, u32>(out, values, start, count, rows, stride);
    default: unreachable();
  }
}

export function addCodeKeys(
  keys: usize, values: usize, width: u32, start: u32, count: u32, rows: usize, multiplier: u64,
): void {
  switch (width) {
    case 0: return addCodes<Zero, u64>(keys, values, start, count, rows, multiplier);
    case 1: return addCodes<u8, u64>(keys, values, start, count, rows, multiplier);
    case 2: return addCodes<u16, u64>(keys, values, start, count, rows, multiplier);
    case 3: return addCodes<U24, u64>(keys, values, start, count, rows, multiplier);
    case 4: return addCodes<u32, u64>(keys, values, start, count, rows, multiplier);
    case 8: return addCodes<i64, u64>(keys, values, start, count, rows, multiplier);
    default: unreachable();
  }
}

function addCodes<T, K>(
  out: usize, values: usize, start: u32, count: u32, rows: usize, factor: u64,
): void {
  if (rows) {
    addCodesOf<T, K>(true, out, values, start, count, rows, factor, 0);
    return;
  }
  let k: u32 = 0;
  if (sizeof<K>() == 4) {
    const factors = i32x4.splat(<u32>factor);
    for (; k + 4 <= count; k += 4) {
      if (isRoundStart(k, 4)) readAhead(values + (start + k) * strideOf<T>(), strideOf<T>());
      addComponents4(out, k, load4<T>(values, start + k), factors);
    }
  }
  addCodesOf<T, K>(false, out, values, start, count, rows, factor, k);
}

@inline
function addCodesOf<T, K>(
  listed: bool, out: usize, values: usize, start: u32, count: u32, rows: usize, factor: u64,
  from: u32,
): void {
  for (let k = from; k < count; k++) {
    const row = rowAt(listed, rows, start, k);
    addComponent<K>(out, k, <u64>valueAt<T>(values, row), factor);
  }
}
