import type { KernelOperations, RankedGroups } from "@hadal/kernel-wasm";
import { selectLargest } from "../../base/number/selectLargest.js";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import type { GroupRange } from "../group/groupTable.js";
import type { Scratch } from "../memory/scratch.js";
import { highOfWideSum } from "../state/wideSum.js";
import type { PreCut, SideTask } from "../task/scanTask.js";
import { BestRanks } from "./bestRanks.js";

export interface ChosenGroups {
  /** Ascending numbers. */
  readonly groups: Uint32Array;
  /** Groups (series, when the cut is by series) that have rows and were left out. */
  readonly groupsCut: number;
  /** As in PartialSide. */
  readonly cutRanks?: Float64Array;
}

/** The groups that have rows and are not cut early. The one group of a query without group by is always there. `ranges`: where groups may have rows. */
export function chooseGroups(
  context: RankContext,
  side: SideTask,
  ranges: readonly GroupRange[],
): ChosenGroups {
  const { memory } = context;
  const { table, preCut } = side;
  if (table.kind === "single") return { groups: Uint32Array.of(0), groupsCut: 0 };
  const groupEnd = ranges.at(-1)?.[1] ?? 0;
  const groupCount = countGroups(ranges);
  const counts = new Uint32Array(memory.buffer, side.counts, groupEnd);
  if (preCut?.bySeries === false && groupCount > preCut.max) {
    return cutEarly(context, side, preCut, counts, ranges);
  }
  if (preCut?.bySeries === true && table.kind === "direct" && !hasMissing(side, preCut)) {
    const time = side.components.findIndex(({ kind }) => kind === "time");
    // Time is outermost: the series repeat from bucket to bucket.
    return cutSeries(memory, side, preCut, counts, table.strides[time]!);
  }
  const groups = new Uint32Array(groupCount);
  let used = 0;
  for (const [from, to] of ranges) {
    for (let group = from; group < to; group++) if (counts[group] !== 0) groups[used++] = group;
  }
  return { groups: groups.slice(0, used), groupsCut: 0 };
}

/** What ranking needs of its thread. */
export interface RankContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Pick<Scratch, "codes" | "keys">;
}

/** Groups ranked at one time. */
const ranksPerStep = 4_096;
/** Half of what the scratch has room for. */
const groupsPerList = 32_768;

/** The groups that can be among the best; ties with the last of them stay. One pass that remembers little: most groups are worse than a sample says they must be. */
function cutEarly(
  context: RankContext,
  side: SideTask,
  preCut: PreCut,
  counts: Uint32Array,
  ranges: readonly GroupRange[],
): ChosenGroups {
  const guess = guessThreshold(context.memory, side, preCut, counts, ranges);
  const guessed = takeBest(context, side, preCut, ranges, guess);
  const { length } = guessed.groups;
  const isWhole = length >= preCut.max || guessed.groupsCut === 0;
  // The sample was better than the whole: it happens, if seldom.
  return isWhole ? guessed : takeBest(context, side, preCut, ranges, Number.NEGATIVE_INFINITY);
}

/** A sample takes so many groups of each stretch. */
const sampledGroups = 64;
const stretchGroups = 1_024;
/** How many more groups than are wanted the guess should let pass: what chance does to a sample is well below. */
const guessMargin = 1.3;
const guessMarginGroups = 40;

/** A rank that more groups reach than are wanted, by a sample of all. */
function guessThreshold(
  memory: WebAssembly.Memory,
  side: SideTask,
  { stateIndex, max, desc }: PreCut,
  counts: Uint32Array,
  ranges: readonly GroupRange[],
): number {
  const groupCount = countGroups(ranges);
  const stretches = [...stepsOf(ranges, stretchGroups)];
  const sampled = new Float64Array(stretches.length * sampledGroups);
  const ranks = new Float64Array(sampledGroups);
  let used = 0;
  let seen = 0;
  for (const [first, end] of stretches) {
    const count = Math.min(sampledGroups, end - first);
    readRanks(memory, side, stateIndex, first, ranks.subarray(0, count));
    seen += count;
    for (let i = 0; i < count; i++) {
      if (counts[first + i] !== 0) sampled[used++] = desc ? ranks[i]! : -ranks[i]!;
    }
  }
  const wanted = Math.ceil(((max * seen) / groupCount) * guessMargin) + guessMarginGroups;
  if (wanted >= used) return Number.NEGATIVE_INFINITY;
  return selectLargest(sampled.subarray(0, used), wanted);
}

/** The best of the groups that rank no lower than `least`. */
function takeBest(
  context: RankContext,
  side: SideTask,
  preCut: PreCut,
  ranges: readonly GroupRange[],
  least: number,
): ChosenGroups {
  const { memory, kernel, scratch } = context;
  const ranked = rankedGroups(side, preCut);
  const best = new BestRanks(preCut.max, least);
  let touched = 0;
  for (const [first, end] of stepsOf(ranges, groupsPerList)) {
    const count = end - first;
    const listed =
      ranked === null
        ? listWide(context, side, preCut, first, count, best.threshold)
        : kernel.listBestGroups(
            ...([scratch.codes, scratch.keys, ranked, first, count, best.threshold] as const),
          );
    const groups = new Uint32Array(memory.buffer, scratch.codes, listed + 1);
    const ranks = new Float64Array(memory.buffer, scratch.keys, listed);
    touched += groups[0]!;
    for (let i = 0; i < listed; i++) best.add(ranks[i]!, groups[i + 1]!);
  }
  const groups = best.finish();
  const groupsCut = touched - groups.length;
  const cutRanks = ranked === null ? null : readCutRanks(context, side, ranked, best.threshold);
  return cutRanks === null ? { groups, groupsCut } : { groups, groupsCut, cutRanks };
}

/** Of each time bucket what its groups that were cut come to at most; null where groups do not lie bucket by bucket. */
function readCutRanks(
  { memory, kernel, scratch }: RankContext,
  { table, components }: SideTask,
  ranked: RankedGroups,
  below: number,
): Float64Array | null {
  const time = components.findIndex(({ kind }) => kind === "time");
  if (table.kind !== "direct" || time < 0 || !ranked.desc) return null;
  const runGroups = table.strides[time]!;
  const runCount = table.groupCount / runGroups;
  // Time is outermost, as series have it too.
  if (runCount !== Number(components[time]!.cardinality) || runCount > segmentRowsMax) return null;
  kernel.listCutRanks(scratch.keys, ranked, runGroups, runCount, below);
  return new Float64Array(memory.buffer, scratch.keys, runCount).slice();
}

/** What the kernel ranks groups by; null where that takes more than 64 bits. */
function rankedGroups(side: SideTask, { stateIndex, desc }: PreCut): RankedGroups | null {
  const state = side.states[stateIndex]!;
  if (state.kind === "sum" && state.wide) return null;
  const sums = state.kind === "sum" || state.kind === "weight" ? state.sums : 0;
  const weights = state.kind === "sum" ? state.weights : 0;
  return { counts: side.counts, sums, weights, desc };
}

/** As the kernel lists groups, of sums in limbs. */
function listWide(
  { memory, scratch }: RankContext,
  side: SideTask,
  { stateIndex, desc }: PreCut,
  first: number,
  count: number,
  least: number,
): number {
  const counts = new Uint32Array(memory.buffer, side.counts + first * 4, count);
  const groups = new Uint32Array(memory.buffer, scratch.codes, count + 1);
  const ranks = new Float64Array(memory.buffer, scratch.keys, count);
  const all = new Float64Array(count);
  readRanks(memory, side, stateIndex, first, all);
  let [touched, listed] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (counts[i] === 0) continue;
    touched++;
    const rank = desc ? all[i]! : -all[i]!;
    if (rank < least) continue;
    ranks[listed] = rank;
    groups[++listed] = first + i;
  }
  groups[0] = touched;
  return listed;
}

function* stepsOf(ranges: readonly GroupRange[], step: number): Generator<GroupRange> {
  for (const [from, to] of ranges) {
    for (let first = from; first < to; first += step) yield [first, Math.min(to, first + step)];
  }
}

function countGroups(ranges: readonly GroupRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** Rounded sums of ranks may err by this part of the largest. */
const roundingShare = 1e-9;

/** The points of the series that can be among the best over all time buckets. */
function cutSeries(
  memory: WebAssembly.Memory,
  side: SideTask,
  preCut: PreCut,
  counts: Uint32Array,
  seriesCount: number,
): ChosenGroups {
  const totals = new Float64Array(seriesCount);
  const isTouched = new Uint8Array(seriesCount);
  const ranks = new Float64Array(ranksPerStep);
  for (let first = 0; first < counts.length; first += ranksPerStep) {
    const count = Math.min(ranksPerStep, counts.length - first);
    const part = ranks.subarray(0, count);
    readRanks(memory, side, preCut.stateIndex, first, part);
    addToSeries(
      part,
      counts.subarray(first, first + count),
      first % seriesCount,
      totals,
      isTouched,
    );
  }
  const best = new BestRanks(preCut.max);
  let touched = 0;
  let largest = 0;
  for (let series = 0; series < seriesCount; series++) {
    if (isTouched[series] === 0) continue;
    touched++;
    largest = Math.max(largest, Math.abs(totals[series]!));
    best.add(preCut.desc ? totals[series]! : -totals[series]!, series);
  }
  best.finish();
  const threshold = best.threshold - largest * roundingShare;
  const kept = new Uint32Array(seriesCount);
  let keptCount = 0;
  for (let series = 0; series < seriesCount; series++) {
    const rank = preCut.desc ? totals[series]! : -totals[series]!;
    if (isTouched[series] === 1 && rank >= threshold) kept[keptCount++] = series;
  }
  const groups = pointsOf(kept.subarray(0, keptCount), counts, seriesCount);
  return { groups, groupsCut: touched - keptCount };
}

/** Adds the ranks of some neighbouring groups, the first of them of series `series`, to their series. */
function addToSeries(
  ranks: Float64Array,
  counts: Uint32Array,
  series: number,
  totals: Float64Array,
  isTouched: Uint8Array,
): void {
  for (let i = 0; i < ranks.length; i++, series++) {
    if (series === totals.length) series = 0;
    if (counts[i] === 0) continue;
    isTouched[series] = 1;
    totals[series]! += ranks[i]!;
  }
}

/** The groups of some series that have rows, ascending. */
function pointsOf(series: Uint32Array, counts: Uint32Array, seriesCount: number): Uint32Array {
  const groups = new Uint32Array((series.length * counts.length) / seriesCount);
  let used = 0;
  for (let first = 0; first < counts.length; first += seriesCount) {
    for (let i = 0; i < series.length; i++) {
      const group = first + series[i]!;
      if (counts[group] !== 0) groups[used++] = group;
    }
  }
  return groups.slice(0, used);
}

/** Whether a group may have rows but no rank: then the ranks of its buckets do not add up. */
function hasMissing(side: SideTask, { stateIndex }: PreCut): boolean {
  const state = side.states[stateIndex]!;
  return state.kind === "sum" && state.weights !== 0;
}

/** The state of groups from `first` on, rounded to a double: rounding keeps the order, or makes a tie. Missing ranks above all. */
function readRanks(
  memory: WebAssembly.Memory,
  side: SideTask,
  stateIndex: number,
  first: number,
  ranks: Float64Array,
): void {
  const { buffer } = memory;
  const state = side.states[stateIndex]!;
  const sums = state.kind === "sum" || state.kind === "weight" ? state.sums : 0;
  if (sums === 0) {
    ranks.set(new Uint32Array(buffer, side.counts + first * 4, ranks.length));
    return;
  }
  const isWide = state.kind === "sum" && state.wide;
  const wordsPerSum = isWide ? 6 : 2;
  const start = sums + first * wordsPerSum * 4;
  const words = new Uint32Array(buffer, start, ranks.length * wordsPerSum);
  for (let i = 0, at = 0; i < ranks.length; i++, at += wordsPerSum) {
    const high = isWide ? highOfWideSum(words, at) : words[at + 1]! | 0;
    ranks[i] = high * 2 ** 32 + words[at]!;
  }
  if (state.kind === "sum" && state.weights !== 0) {
    const weights = new Int32Array(buffer, state.weights + first * 8, ranks.length * 2);
    for (let i = 0; i < ranks.length; i++) {
      if (weights[2 * i] === 0 && weights[2 * i + 1] === 0) ranks[i] = Number.POSITIVE_INFINITY;
    }
  }
}
