// Sums of value · weight that need more than 64 bits: three limbs of 32 bits, each summed in an
// i64, carried by the host. The rare path: the caller comes here only when 64 bits could overflow.
import { bitOf } from "../base/bitset";
import { checkWeightWidth, rowAt, U24, valueAt, weightOfWidth, Zero } from "../base/lanes";

export function addWideProducts(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize,
): void {
  checkWeightWidth(weightWidth);
  switch (width) {
    case 0: return wideProducts<Zero>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 1: return wideProducts<u8>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 2: return wideProducts<u16>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 3: return wideProducts<U24>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 4: return wideProducts<u32>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 8: return wideProducts<i64>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    default: unreachable();
  }
}

function wideProducts<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const value = base + valueAt<T>(values, row);
    const weight = <u64>weightOfWidth(weights, weightWidth, row);
    // value · weight = high · 2^32 + low; |high| <= 2^31 · (2^32 - 1), so adding low's carry fits.
    const low = (<u64>value & 0xffffffff) * weight;
    const high = (value >> 32) * <i64>weight + <i64>(low >> 32);
    const group: u32 = groups ? load<u32>(groups + (k << 2)) : 0;
    const at = sums + group * 24;
    store<i64>(at, load<i64>(at) + <i64>(low & 0xffffffff));
    store<i64>(at, load<i64>(at, 8) + (high & 0xffffffff), 8);
    store<i64>(at, load<i64>(at, 16) + (high >> 32), 16);
  }
}
