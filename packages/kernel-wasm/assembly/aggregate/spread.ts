// Per group Σ w(w−1)xⁿ for n = 0 to 3, in f64, times a scale: the error that sample rates bring.
import { bitOf } from "../base/bitset";
import { checkWeightWidth, rowAt, U24, valueAt, weightAt, Zero } from "../base/lanes";

export function addSpread(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize, scale: f64,
): void {
  checkWeightWidth(weightWidth);
  switch (width) {
    case 0: return spread<Zero>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    case 1: return spread<u8>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    case 2: return spread<u16>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    case 3: return spread<U24>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    case 4: return spread<u32>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    case 8: return spread<i64>(sums, groups, start, count, rows, values, base, weights, weightWidth, present, scale);
    default: unreachable();
  }
}

/** Rows without a weight count once and add no error. */
@inline
function spread<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize, scale: f64,
): void {
  switch (weightWidth) {
    case 1: return spreadOf<T, u8>(sums, groups, start, count, rows, values, base, weights, present, scale);
    case 2: return spreadOf<T, u16>(sums, groups, start, count, rows, values, base, weights, present, scale);
    case 4: return spreadOf<T, u32>(sums, groups, start, count, rows, values, base, weights, present, scale);
  }
}

function spreadOf<T, W>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, present: usize, scale: f64,
): void {
  if (groups) return grouped<T, W>(sums, groups, start, count, rows, values, base, weights, present, scale);
  if (rows) ungrouped<T, W>(true, sums, start, count, rows, values, base, weights, present, scale);
  else ungrouped<T, W>(false, sums, start, count, rows, values, base, weights, present, scale);
}

@inline
function grouped<T, W>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, present: usize, scale: f64,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const part0 = onesOf<W>(row, weights, 0) * scale;
    const value = <f64>(base + valueAt<T>(values, row));
    const part1 = part0 * value;
    const part2 = part1 * value;
    const at = sums + (load<u32>(groups + (k << 2)) << 5);
    store<f64>(at, load<f64>(at) + part0);
    store<f64>(at, load<f64>(at, 8) + part1, 8);
    store<f64>(at, load<f64>(at, 16) + part2, 16);
    store<f64>(at, load<f64>(at, 24) + part2 * value, 24);
  }
}

/** Even and odd rows are summed separately: an addition waits for the previous one. */
@inline
function ungrouped<T, W>(
  listed: bool, sums: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, present: usize, scale: f64,
): void {
  const scales = f64x2.splat(scale);
  let own0 = f64x2.splat(0);
  let own1 = own0;
  let own2 = own0;
  let own3 = own0;
  for (let k: u32 = 0; k < count; k += 2) {
    const even = rowAt(listed, rows, start, k);
    let ones = f64x2.splat(onesOf<W>(even, weights, present));
    let value = f64x2.splat(<f64>(base + valueAt<T>(values, even)));
    if (k + 1 < count) {
      const odd = rowAt(listed, rows, start, k + 1);
      ones = f64x2.replace_lane(ones, 1, onesOf<W>(odd, weights, present));
      value = f64x2.replace_lane(value, 1, <f64>(base + valueAt<T>(values, odd)));
    } else {
      ones = f64x2.replace_lane(ones, 1, 0);
    }
    const part0 = f64x2.mul(ones, scales);
    const part1 = f64x2.mul(part0, value);
    own0 = f64x2.add(own0, part0);
    own1 = f64x2.add(own1, part1);
    const part2 = f64x2.mul(part1, value);
    own2 = f64x2.add(own2, part2);
    own3 = f64x2.add(own3, f64x2.mul(part2, value));
  }
  addLanes(sums, own0);
  addLanes(sums + 8, own1);
  addLanes(sums + 16, own2);
  addLanes(sums + 24, own3);
}

/** Weight × (weight - 1); 0 where the value is missing. */
@inline
function onesOf<W>(row: u32, weights: usize, present: usize): f64 {
  const weight = <f64>weightAt<W>(weights, row);
  return present && !bitOf(present, row) ? 0 : weight * (weight - 1);
}

@inline
function addLanes(sum: usize, lanes: v128): void {
  store<f64>(sum, load<f64>(sum) + (f64x2.extract_lane(lanes, 0) + f64x2.extract_lane(lanes, 1)));
}
