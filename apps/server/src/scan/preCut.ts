import { selectLargest } from "../base/selectLargest.js";
import type { LeafCut, ResolvedQuery } from "../plan/resolvedQuery.js";
import type { PreCut, SideTask } from "./scanTask.js";

/**
 * What a scan thread may leave out at once, so that a query with many groups costs little beyond its scan:
 * groups that rank behind the cut. Only where a group's rank is a plain number and nothing joins sides later;
 * the exact cut, with ties and further ranks, follows on what is left.
 */
export function choosePreCut(query: ResolvedQuery): PreCut | null {
  const { cut, sides, states } = query;
  const stateIndex = rankedState(cut);
  if (stateIndex === null || sides.length > 1 || query.only !== undefined) return null;
  const kind = states[stateIndex]?.kind;
  if (kind !== "rows" && kind !== "weight" && kind !== "sum") return null;
  return { stateIndex, max: cut.max, desc: cut.ranks[0]!.desc };
}

function rankedState(cut: LeafCut): number | null {
  const by = cut.bySeries ? undefined : cut.ranks[0]?.by;
  return by?.kind === "state" ? by.stateIndex : null;
}

/** The groups that can be among the best; ties with the last of them stay. */
export function cutEarly(
  memory: WebAssembly.Memory,
  side: SideTask,
  preCut: PreCut,
  groups: Uint32Array,
): Uint32Array {
  if (groups.length <= preCut.max) return groups;
  const ranks = readRanks(memory, side, preCut.stateIndex, groups);
  if (!preCut.desc) for (let i = 0; i < ranks.length; i++) ranks[i] = -ranks[i]!;
  const threshold = selectLargest(ranks.slice(), preCut.max);
  const kept = new Uint32Array(groups.length);
  let used = 0;
  for (let i = 0; i < groups.length; i++) {
    if (ranks[i]! >= threshold) kept[used++] = groups[i]!;
  }
  return kept.slice(0, used);
}

/** The state of each group, rounded to a double: rounding keeps the order, or makes a tie. Missing ranks above all. */
function readRanks(
  memory: WebAssembly.Memory,
  side: SideTask,
  stateIndex: number,
  groups: Uint32Array,
): Float64Array {
  const state = side.states[stateIndex]!;
  const ranks = new Float64Array(groups.length);
  const groupEnd = groups[groups.length - 1]! + 1;
  const sums = state.kind === "sum" || state.kind === "weight" ? state.sums : 0;
  if (sums === 0) {
    const counts = new Uint32Array(memory.buffer, side.counts, groupEnd);
    for (let i = 0; i < groups.length; i++) ranks[i] = counts[groups[i]!]!;
    return ranks;
  }
  const limbs = state.kind === "sum" && state.wide ? 3 : 1;
  const words = new Int32Array(memory.buffer, sums, groupEnd * limbs * 2);
  for (let i = 0; i < groups.length; i++) {
    let rank = 0;
    for (let limb = limbs - 1; limb >= 0; limb--) {
      const at = (groups[i]! * limbs + limb) * 2;
      rank = rank * 2 ** 32 + (words[at + 1]! * 2 ** 32 + (words[at]! >>> 0));
    }
    ranks[i] = rank;
  }
  if (state.kind === "sum" && state.weights !== 0) {
    const weights = new Int32Array(memory.buffer, state.weights, groupEnd * 2);
    for (let i = 0; i < groups.length; i++) {
      const at = groups[i]! * 2;
      if (weights[at] === 0 && weights[at + 1] === 0) ranks[i] = Number.POSITIVE_INFINITY;
    }
  }
  return ranks;
}
