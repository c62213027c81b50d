import type { GroupRange } from "../group/groupTable.js";
import type { SideTask } from "../task/scanTask.js";
import { type ChosenGroups, countGroups, cutGroups, type RankContext } from "./cutGroups.js";
import { cutSeries } from "./cutSeries.js";
import { GroupRanks } from "./groupRanks.js";

/**
 * The groups that have rows and are not cut early; a query without group by always has its one
 * group. `ranges`: where groups may have rows.
 */
export function chooseGroups(
  context: RankContext,
  side: SideTask,
  ranges: readonly GroupRange[],
): ChosenGroups {
  const { table, preCut } = side;
  if (table.kind === "single") return { groups: Uint32Array.of(0), groupsCut: 0 };
  const ranks = preCut && new GroupRanks(context.memory, side, preCut);
  if (ranks?.preCut.bySeries === false && countGroups(ranges) > ranks.preCut.max)
    return cutGroups(context, ranks, ranges);
  const groupEnd = ranges.at(-1)?.[1] ?? 0;
  const counts = new Uint32Array(context.memory.buffer, side.counts, groupEnd);
  if (ranks?.preCut.bySeries === true && table.kind === "direct" && !ranks.mayMiss) {
    const time = side.components.findIndex(({ kind }) => kind === "time");
    // Time is the outermost component.
    return cutSeries(ranks, counts, table.strides[time]!);
  }
  return { groups: groupsWithRows(counts, ranges), groupsCut: 0 };
}

function groupsWithRows(counts: Uint32Array, ranges: readonly GroupRange[]): Uint32Array {
  const groups = new Uint32Array(countGroups(ranges));
  let used = 0;
  for (const [from, to] of ranges) {
    for (let group = from; group < to; group++) if (counts[group] !== 0) groups[used++] = group;
  }
  return groups.slice(0, used);
}
