/** The addresses of the values by which groups are ranked. */
export interface RankedGroups {
  /** u32 per group: rows; 0 is no group. */
  readonly counts: number;
  /** i64 per group; 0: they rank by their counts. */
  readonly sums: number;
  /**
   * i64 per group, 0 where it has no value to sum, which ranks above all sums; 0: all have some.
   */
  readonly weights: number;
  /** The largest first; else the rank is the negative number. */
  readonly desc: boolean;
}

export interface BestGroupOperations {
  /**
   * Lists the groups of [first, first + count) that have rows and rank at `least` or above, u32
   * each, ascending, from out + 4 on, and their ranks, f64 each; at `out` a u32 says how many have
   * rows. Returns how many are listed. Room for count + 1 and count.
   */
  listBestGroups(
    out: number,
    ranks: number,
    groups: RankedGroups,
    first: number,
    count: number,
    least: number,
  ): number;
  /**
   * Groups from 0 on in runs of `runGroups`, the largest rank first. Of each run, f64 at `out`: the
   * largest rank of its groups that have rows and rank below `below`, or 0 if that is less; -1
   * where there is none. A group without values ranks above all.
   */
  listCutRanks(
    out: number,
    groups: Omit<RankedGroups, "desc">,
    runGroups: number,
    runCount: number,
    below: number,
  ): void;
}

export interface BestGroupExports {
  listBestGroups(
    ...a: [
      ...[out: number, ranks: number, counts: number, sums: number, weights: number],
      ...[first: number, count: number, least: number, desc: number],
    ]
  ): number;
  listCutRanks(
    ...a: [
      ...[out: number, counts: number, sums: number, weights: number],
      ...[runGroups: number, runCount: number, below: number],
    ]
  ): void;
}

export function bestGroupOperations(wasm: BestGroupExports): BestGroupOperations {
  return {
    listBestGroups: (out, ranks, { counts, sums, weights, desc }, first, count, least) =>
      wasm.listBestGroups(
        ...([out, ranks, counts, sums, weights, first, count, least, desc ? 1 : 0] as const),
      ),
    listCutRanks: (out, { counts, sums, weights }, runGroups, runCount, below) =>
      wasm.listCutRanks(out, counts, sums, weights, runGroups, runCount, below),
  };
}
