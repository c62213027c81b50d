// Sums per group in a large table: the low 32 bits are kept apart, which halves the memory that
// rows touch. Carries go to the whole sums.
import { codeAt, codeStrideOf, rowAt, strideOf, U24, valueAt } from "../base/lanes";

const CARRY: i64 = 1 << 32;

/**
 * codeWidth 0: the groups are u32 at `codes`, one for each row of the set. A row's value + base is
 * a u32.
 */
export function addLowSums(
  lows: usize, sums: usize, codes: usize, codeWidth: u32, firstCode: u32, start: u32, count: u32,
  rows: usize, values: usize, width: u32, base: u32,
): void {
  // Where code 0 would be; the address may wrap around and comes back with the code.
  lows -= firstCode << 2;
  sums -= firstCode << 3;
  switch (codeWidth) {
    case 0: return addCoded<void>(lows, sums, codes, start, count, rows, values, width, base);
    case 1: return addCoded<u8>(lows, sums, codes, start, count, rows, values, width, base);
    case 2: return addCoded<u16>(lows, sums, codes, start, count, rows, values, width, base);
    case 3: return addCoded<U24>(lows, sums, codes, start, count, rows, values, width, base);
    case 4: return addCoded<u32>(lows, sums, codes, start, count, rows, values, width, base);
    default: unreachable();
  }
}

@inline
function addCoded<C>(
  lows: usize, sums: usize, codes: usize, start: u32, count: u32, rows: usize, values: usize,
  width: u32, base: u32,
): void {
  switch (width) {
    case 1: return addRows<C, u8>(lows, sums, codes, start, count, rows, values, base);
    case 2: return addRows<C, u16>(lows, sums, codes, start, count, rows, values, base);
    case 3: return addRows<C, U24>(lows, sums, codes, start, count, rows, values, base);
    case 4: return addRows<C, u32>(lows, sums, codes, start, count, rows, values, base);
    default: unreachable();
  }
}

function addRows<C, V>(
  lows: usize, sums: usize, codes: usize, start: u32, count: u32, rows: usize, values: usize,
  base: u32,
): void {
  if (rows) {
    for (let k: u32 = 0; k < count; k++) {
      const row = rowAt(true, rows, start, k);
      grow(lows, sums, codeAt<C>(codes, row, k), <u32>valueAt<V>(values, row) + base);
    }
    return;
  }
  let k: u32 = 0;
  let codesAt = codes + (isVoid<C>() ? 0 : start * codeStrideOf<C>());
  let valuesAt = values + start * <u32>strideOf<V>();
  // Four rows are read before the first of them is added: the reads need not wait for the stores.
  for (; k + 4 <= count; k += 4) {
    const a = codeAt<C>(codesAt, 0, 0);
    const b = codeAt<C>(codesAt, 1, 1);
    const c = codeAt<C>(codesAt, 2, 2);
    const d = codeAt<C>(codesAt, 3, 3);
    const first = <u32>valueAt<V>(valuesAt, 0) + base;
    const second = <u32>valueAt<V>(valuesAt, 1) + base;
    const third = <u32>valueAt<V>(valuesAt, 2) + base;
    const fourth = <u32>valueAt<V>(valuesAt, 3) + base;
    grow(lows, sums, a, first);
    grow(lows, sums, b, second);
    grow(lows, sums, c, third);
    grow(lows, sums, d, fourth);
    codesAt += codeStrideOf<C>() << 2;
    valuesAt += strideOf<V>() << 2;
  }
  for (; k < count; k++) {
    grow(lows, sums, codeAt<C>(codesAt, 0, 0), <u32>valueAt<V>(valuesAt, 0) + base);
    codesAt += codeStrideOf<C>();
    valuesAt += strideOf<V>();
  }
}

@inline
function grow(lows: usize, sums: usize, code: u32, by: u32): void {
  const at = lows + (code << 2);
  const sum = load<u32>(at) + by;
  store<u32>(at, sum);
  if (sum < by) {
    const sumAt = sums + (code << 3);
    store<i64>(sumAt, load<i64>(sumAt) + CARRY);
  }
}

/** Adds all low sums to the whole ones; they are 0 then. */
export function flushLowSums(lows: usize, sums: usize, groupCount: u32): void {
  let i: u32 = 0;
  for (; i + 4 <= groupCount; i += 4) {
    const four = v128.load(lows + (i << 2));
    if (!v128.any_true(four)) continue;
    v128.store(lows + (i << 2), i32x4.splat(0));
    const at = sums + (i << 3);
    v128.store(at, i64x2.add(v128.load(at), i64x2.extend_low_i32x4_u(four)));
    v128.store(at, i64x2.add(v128.load(at, 16), i64x2.extend_high_i32x4_u(four)), 16);
  }
  for (; i < groupCount; i++) {
    const at = sums + (i << 3);
    store<i64>(at, load<i64>(at) + <i64>load<u32>(lows + (i << 2)));
    store<u32>(lows + (i << 2), 0);
  }
}
