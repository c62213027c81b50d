// Sums of value · weight per group. A sum of weights is one of products whose values are all 1 (T
// void).
import { bitOf } from "../base/bitset";
import { areEqual4 } from "./count";
import { Listed, Masked, rowAt, U24, valueAt, weightAt, Zero } from "../base/lanes";
import { sumOfRun } from "./sum";

export function addWeights(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, weights: usize,
  weightWidth: u32, present: usize,
): void {
  productsOf<void>(sums, groups, start, count, rows, 0, 0, weights, weightWidth, present);
}

export function addProducts(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, width: u32,
  base: i64, weights: usize, weightWidth: u32, present: usize,
): void {
  switch (width) {
    case 0: return productsOf<Zero>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 1: return productsOf<u8>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 2: return productsOf<u16>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 3: return productsOf<U24>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 4: return productsOf<u32>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    case 8: return productsOf<i64>(sums, groups, start, count, rows, values, base, weights, weightWidth, present);
    default: unreachable();
  }
}

/** weightWidth 0: no weights. */
@inline
function productsOf<T>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64, weights: usize,
  weightWidth: u32, present: usize,
): void {
  switch (weightWidth) {
    case 0: return products<T, void>(sums, groups, start, count, rows, values, base, weights, present);
    case 1: return products<T, u8>(sums, groups, start, count, rows, values, base, weights, present);
    case 2: return products<T, u16>(sums, groups, start, count, rows, values, base, weights, present);
    case 4: return products<T, u32>(sums, groups, start, count, rows, values, base, weights, present);
    default: unreachable();
  }
}

function products<T, W>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64, weights: usize,
  present: usize,
): void {
  if (groups) {
    if (rows) {
      if (present) grouped<T, W, Listed, Masked>(sums, groups, start, count, rows, values, base, weights, present);
      else grouped<T, W, Listed, void>(sums, groups, start, count, rows, values, base, weights, present);
    } else {
      if (present) grouped<T, W, void, Masked>(sums, groups, start, count, rows, values, base, weights, present);
      else grouped<T, W, void, void>(sums, groups, start, count, rows, values, base, weights, present);
    }
    return;
  }
  let sum: i64;
  if (!rows) {
    sum = sumOfRun<T, W>(start, count, values, base, weights, present);
  } else if (present) sum = sumOfListed<T, W, Masked>(rows, count, values, base, weights, present);
  else sum = sumOfListed<T, W, void>(rows, count, values, base, weights, present);
  store<i64>(sums, load<i64>(sums) + sum);
}

@inline
function sumOfListed<T, W, M>(
  rows: usize, count: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  let even: i64 = 0;
  let odd: i64 = 0;
  let k: u32 = 0;
  for (; k + 2 <= count; k += 2) {
    even += productAt<T, W, Listed, M>(rows, 0, k, values, base, weights, present);
    odd += productAt<T, W, Listed, M>(rows, 0, k + 1, values, base, weights, present);
  }
  if (k < count) even += productAt<T, W, Listed, M>(rows, 0, k, values, base, weights, present);
  return even + odd;
}

/** L void: neighbouring rows; M void: all of them have a value. */
@inline
function productAt<T, W, L, M>(
  rows: usize, start: u32, k: u32, values: usize, base: i64, weights: usize, present: usize,
): i64 {
  const row = isVoid<L>() ? start + k : rowAt(true, rows, start, k);
  const product = (base + valueAt<T>(values, row)) * weightAt<W>(weights, row);
  return isVoid<M>() ? product : product & -(<i64>bitOf(present, row));
}

@inline
function grow(sums: usize, group: u32, by: i64): void {
  const at = sums + (group << 3);
  store<i64>(at, load<i64>(at) + by);
}

@inline
function grouped<T, W, L, M>(
  sums: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize, base: i64, weights: usize,
  present: usize,
): void {
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const a = productAt<T, W, L, M>(rows, start, k, values, base, weights, present);
    const b = productAt<T, W, L, M>(rows, start, k + 1, values, base, weights, present);
    const c = productAt<T, W, L, M>(rows, start, k + 2, values, base, weights, present);
    const d = productAt<T, W, L, M>(rows, start, k + 3, values, base, weights, present);
    const at = groups + (k << 2);
    if (areEqual4(v128.load(at))) {
      grow(sums, load<u32>(at), a + b + c + d);
    } else {
      grow(sums, load<u32>(at), a);
      grow(sums, load<u32>(at, 4), b);
      grow(sums, load<u32>(at, 8), c);
      grow(sums, load<u32>(at, 12), d);
    }
  }
  for (; k < count; k++) {
    const product = productAt<T, W, L, M>(rows, start, k, values, base, weights, present);
    grow(sums, load<u32>(groups + (k << 2)), product);
  }
}
