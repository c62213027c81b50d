import type { BestGroupOperations, RankedGroups } from "../operations/bestGroups.js";
import type { MemoryView } from "./memoryView.js";

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
  };
}
