// Per group Σ w(w−1), Σ w(w−1)x and Σ w(w−1)x² in f64, times a scale: the error that sample rates bring.
import { bitOf } from "./bitset";
import { checkWeightWidth, rowAt, U24, valueAt, weightOfWidth, Zero } from "./lanes";

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

function spread<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64,
  weights: usize, weightWidth: u32, present: usize, scale: f64,
): void {
  let own0: f64 = 0;
  let own1: f64 = 0;
  let own2: f64 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const weight = <f64>weightOfWidth(weights, weightWidth, row);
    const part0 = weight * (weight - 1) * scale;
    const value = <f64>(base + valueAt<T>(values, row));
    const part1 = part0 * value;
    const part2 = part1 * value;
    if (groups) {
      const at = sums + load<u32>(groups + (k << 2)) * 24;
      store<f64>(at, load<f64>(at) + part0);
      store<f64>(at, load<f64>(at, 8) + part1, 8);
      store<f64>(at, load<f64>(at, 16) + part2, 16);
    } else {
      own0 += part0;
      own1 += part1;
      own2 += part2;
    }
  }
  if (groups) return;
  store<f64>(sums, load<f64>(sums) + own0);
  store<f64>(sums, load<f64>(sums, 8) + own1, 8);
  store<f64>(sums, load<f64>(sums, 16) + own2, 16);
}
