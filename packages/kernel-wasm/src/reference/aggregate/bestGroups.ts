import type { BestGroupOperations, RankedGroups } from "../../operations/aggregate/bestGroups.js";
import type { MemoryView } from "../memoryView.js";

export function referenceBestGroups(view: MemoryView): BestGroupOperations {
  const rankOf = ({ counts, sums, weights, desc }: RankedGroups, group: number): number => {
    let rank = sums === 0 ? view.u32(counts + group * 4) : Number(view.i64(sums + group * 8));
    if (weights !== 0 && view.i64(weights + group * 8) === 0n) rank = Number.POSITIVE_INFINITY;
    return desc ? rank : -rank;
  };
  return {
    listBestGroups: (out, ranks, groups, first, count, least) => {
      const touched = Array.from({ length: count }, (_, k) => first + k).filter(
        (group) => view.u32(groups.counts + group * 4) !== 0,
      );
      const best = touched.filter((group) => rankOf(groups, group) >= least);
      view.setU32(out, touched.length);
      best.forEach((group, i) => {
        view.setU32(out + 4 + i * 4, group);
        view.setF64(ranks + i * 8, rankOf(groups, group));
      });
      return best.length;
    },
    listCutRanks: (out, groups, runGroups, runCount, below) => {
      for (let run = 0; run < runCount; run++) {
        const ranks = Array.from({ length: runGroups }, (_, i) => run * runGroups + i)
          .filter((group) => view.u32(groups.counts + group * 4) !== 0)
          .map((group) => rankOf({ ...groups, desc: true }, group))
          .filter((rank) => rank < below && rank < Number.POSITIVE_INFINITY);
        view.setF64(out + run * 8, ranks.length === 0 ? -1 : Math.max(0, ...ranks));
      }
    },
  };
}
