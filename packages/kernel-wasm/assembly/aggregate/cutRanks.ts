// Largest ranks among the groups that rank too low to be sent.
import { leastSum, TWO_63 } from "./bestGroups";

/**
 * Groups come in runs of `runGroups`. Of each run, at `out` (f64): the largest rank of its groups
 * that have rows and rank below `below`, 0 if that is less; -1 where it has no such group. Ranks
 * are those of bestGroups.ts, the largest first.
 */
export function listCutRanks(
  out: usize, counts: usize, sums: usize, weights: usize, runGroups: u32, runCount: u32, below: f64,
): void {
  if (sums && weights == 0 && below <= TWO_63) {
    return cutSums(out, counts, sums, runGroups, runCount, leastSum(below));
  }
  let group: u32 = 0;
  for (let run: u32 = 0; run < runCount; run++) {
    const end = group + runGroups;
    let most: f64 = -1;
    for (; group < end; group++) {
      const rows = load<u32>(counts + (<usize>group << 2));
      if (rows == 0) continue;
      if (weights && load<i64>(weights + (<usize>group << 3)) == 0) continue;
      const rank = sums ? <f64>load<i64>(sums + (<usize>group << 3)) : <f64>rows;
      if (rank < below) most = max<f64>(most, max<f64>(0, rank));
    }
    store<f64>(out + (<usize>run << 3), most);
  }
}

/** Sums below `below`, two at a time. */
function cutSums(
  out: usize, counts: usize, sums: usize, runGroups: u32, runCount: u32, below: i64,
): void {
  const belows = i64x2.splat(below);
  const zero = i64x2.splat(0);
  const none = i64x2.splat(-1);
  for (let run: u32 = 0; run < runCount; run++) {
    let mosts = none;
    let group = run * runGroups;
    const end = group + runGroups;
    for (; group + 2 <= end; group += 2) {
      const pair = v128.load(sums + (<usize>group << 3));
      const rows = v128.load64_zero(counts + (<usize>group << 2));
      const isCut = v128.and(i64x2.lt_s(pair, belows), i64x2.gt_s(i64x2.extend_low_i32x4_u(rows), zero));
      mosts = larger(mosts, v128.bitselect(larger(pair, zero), none, isCut));
    }
    let most = max<i64>(i64x2.extract_lane(mosts, 0), i64x2.extract_lane(mosts, 1));
    if (group < end && load<u32>(counts + (<usize>group << 2)) != 0) {
      const sum = load<i64>(sums + (<usize>group << 3));
      if (sum < below) most = max<i64>(most, max<i64>(0, sum));
    }
    store<f64>(out + (<usize>run << 3), <f64>most);
  }
}

@inline
function larger(a: v128, b: v128): v128 {
  return v128.bitselect(a, b, i64x2.gt_s(a, b));
}
