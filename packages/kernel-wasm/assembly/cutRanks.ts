// What the groups come to that rank too low to be sent.

/**
 * Groups come in runs of `runGroups`. Of each run, at `out` (f64): the largest rank of its groups that have rows and rank below
 * `below`, 0 if that is less; -1 where it has no such group. Ranks are those of bestGroups.ts, the largest first.
 */
export function listCutRanks(
  out: usize, counts: usize, sums: usize, weights: usize, runGroups: u32, runCount: u32, below: f64,
): void {
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
