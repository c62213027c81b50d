// Groups whose rank is at least a given number, from tables of counts and sums.

export const TWO_63: f64 = 9.223372036854775808e18;
/** Between this and its negative every integer is exact as a double. */
const EXACT_MAX: f64 = 9007199254740992;

/**
 * The least i64 whose double is at least `bound` (at most 2^63): beyond 2^53 several integers round
 * to one double.
 */
@inline
export function leastSum(bound: f64): i64 {
  if (bound <= -TWO_63) return i64.MIN_VALUE;
  if (bound > -EXACT_MAX && bound < EXACT_MAX) return <i64>ceil<f64>(bound);
  let low: i64 = i64.MIN_VALUE;
  let high: i64 = i64.MAX_VALUE;
  while (low < high) {
    const middle = (low & high) + ((low ^ high) >> 1);
    if (<f64>middle < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Lists the groups [first, first + count) that have rows and rank at `least` or above, u32 each
 * from out + 4 on, and their ranks, f64 each from `ranks` on; returns how many, and at `out` how
 * many have rows. The rank is the sum as a double (sums 0: the count), below 0 for above unless
 * `desc`; a group without values (weights: i64 per group, 0: all have some) has an infinite sum.
 */
export function listBestGroups(
  out: usize, ranks: usize, counts: usize, sums: usize, weights: usize, first: u32, count: u32,
  least: f64, desc: bool,
): u32 {
  if (sums == 0 && desc) return bestCounts(out, ranks, counts, first, count, least);
  if (weights == 0 && desc) return bestSums(out, ranks, counts, sums, first, count, least);
  let listed: u32 = 0;
  let touched: u32 = 0;
  for (let group = first; group < first + count; group++) {
    const rows = load<u32>(counts + (<usize>group << 2));
    if (rows == 0) continue;
    touched++;
    let rank = <f64>rows;
    if (sums) rank = <f64>load<i64>(sums + (<usize>group << 3));
    if (weights && load<i64>(weights + (<usize>group << 3)) == 0) rank = f64.POSITIVE_INFINITY;
    if (!desc) rank = -rank;
    if (!(rank >= least)) continue;
    store<f64>(ranks + (<usize>listed << 3), rank);
    store<u32>(out + (<usize>++listed << 2), group);
  }
  store<u32>(out, touched);
  return listed;
}

/** Four counts at a time; most fours have none that is listed. */
function bestCounts(
  out: usize, ranks: usize, counts: usize, first: u32, count: u32, least: f64,
): u32 {
  // A count of 0 is no group. NaN, and values beyond a u32, do not count.
  const lowest = max<f64>(1, ceil<f64>(least));
  if (!(lowest <= <f64>u32.MAX_VALUE)) return noneOf(out, counts, first, count);
  const leastCount = <u32>lowest;
  const leasts = i32x4.splat(leastCount);
  const zero = i32x4.splat(0);
  let empty = zero;
  let listed: u32 = 0;
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const four = v128.load(counts + (<usize>(first + k) << 2));
    empty = i32x4.sub(empty, i32x4.eq(four, zero));
    let bits = i32x4.bitmask(i32x4.ge_u(four, leasts));
    for (; bits != 0; bits &= bits - 1) {
      const group = first + k + ctz(bits);
      store<f64>(ranks + (<usize>listed << 3), <f64>load<u32>(counts + (<usize>group << 2)));
      store<u32>(out + (<usize>++listed << 2), group);
    }
  }
  let touched = k - i32x4.extract_lane(empty, 0) - i32x4.extract_lane(empty, 1)
    - i32x4.extract_lane(empty, 2) - i32x4.extract_lane(empty, 3);
  for (; k < count; k++) {
    const rows = load<u32>(counts + (<usize>(first + k) << 2));
    if (rows != 0) touched++;
    if (rows < leastCount) continue;
    store<f64>(ranks + (<usize>listed << 3), <f64>rows);
    store<u32>(out + (<usize>++listed << 2), first + k);
  }
  store<u32>(out, touched);
  return listed;
}

/** Four sums at a time; most fours have none that is listed. */
function bestSums(
  out: usize, ranks: usize, counts: usize, sums: usize, first: u32, count: u32, least: f64,
): u32 {
  // Sums fit an i64; doubles round the largest ones up.
  if (!(least <= TWO_63)) return noneOf(out, counts, first, count);
  const leasts = i64x2.splat(leastSum(least));
  const zero = i32x4.splat(0);
  let empty = zero;
  let listed: u32 = 0;
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const at = sums + (<usize>(first + k) << 3);
    const none = i32x4.eq(v128.load(counts + (<usize>(first + k) << 2)), zero);
    empty = i32x4.sub(empty, none);
    const low = i64x2.ge_s(v128.load(at), leasts);
    const high = i64x2.ge_s(v128.load(at, 16), leasts);
    let bits = i32x4.bitmask(v128.andnot(v128.shuffle<i32>(low, high, 0, 2, 4, 6), none));
    for (; bits != 0; bits &= bits - 1) {
      const lane = <usize>ctz(bits);
      store<f64>(ranks + (<usize>listed << 3), <f64>load<i64>(at + (lane << 3)));
      store<u32>(out + (<usize>++listed << 2), first + k + <u32>lane);
    }
  }
  let touched = k - i32x4.extract_lane(empty, 0) - i32x4.extract_lane(empty, 1)
    - i32x4.extract_lane(empty, 2) - i32x4.extract_lane(empty, 3);
  for (; k < count; k++) {
    if (load<u32>(counts + (<usize>(first + k) << 2)) == 0) continue;
    touched++;
    const rank = <f64>load<i64>(sums + (<usize>(first + k) << 3));
    if (rank < least) continue;
    store<f64>(ranks + (<usize>listed << 3), rank);
    store<u32>(out + (<usize>++listed << 2), first + k);
  }
  store<u32>(out, touched);
  return listed;
}

/** Returns how many have rows. */
function noneOf(out: usize, counts: usize, first: u32, count: u32): u32 {
  let touched: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    if (load<u32>(counts + (<usize>(first + k) << 2)) != 0) touched++;
  }
  store<u32>(out, touched);
  return 0;
}
