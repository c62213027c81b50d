import type { KernelOperations, RankedGroups } from "@hadal/kernel-wasm";
import { selectLargest } from "../../base/number/selectLargest.js";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import type { GroupRange } from "../group/groupTable.js";
import type { Scratch } from "../memory/scratch.js";
import type { SideTask } from "../task/scanTask.js";
import { BestRanks } from "./bestRanks.js";
import type { GroupRanks } from "./groupRanks.js";

export interface ChosenGroups {
  /** Ascending numbers. */
  readonly groups: Uint32Array;
  /** Groups (series, when the cut is by series) that have rows and were left out. */
  readonly groupsCut: number;
  /** As in PartialSide. */
  readonly cutRanks?: Float64Array;
}

/** The parts of a scan thread that ranking uses. */
export interface RankContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Pick<Scratch, "codes" | "keys">;
}

/** Half of what the scratch has room for. */
const groupsPerList = 32_768;

/**
 * Keeps the groups that can be among the best, with those that tie with the last. A sample gives a
 * rank that most groups do not reach, so that one pass over all groups remembers few.
 */
export function cutGroups(
  context: RankContext,
  ranks: GroupRanks,
  ranges: readonly GroupRange[],
): ChosenGroups {
  const guessed = takeBest(context, ranks, ranges, guessThreshold(ranks, ranges));
  const isWhole = guessed.groups.length >= ranks.preCut.max || guessed.groupsCut === 0;
  // Rarely too few groups reach the guessed rank: then all groups are ranked.
  return isWhole ? guessed : takeBest(context, ranks, ranges, Number.NEGATIVE_INFINITY);
}

export function countGroups(ranges: readonly GroupRange[]): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from, 0);
}

/** A sample takes this many groups of each stretch. */
const sampledGroups = 64;
const stretchGroups = 1_024;
/** The guess lets more groups pass than are wanted: by far more than chance can change it. */
const guessMargin = 1.3;
const guessMarginGroups = 40;

/** A rank that more groups reach than are wanted, by a sample of all. */
function guessThreshold(ranks: GroupRanks, ranges: readonly GroupRange[]): number {
  const { max, desc } = ranks.preCut;
  const groupCount = countGroups(ranges);
  const stretches = [...stepsOf(ranges, stretchGroups)];
  const sampled = new Float64Array(stretches.length * sampledGroups);
  const read = new Float64Array(sampledGroups);
  let used = 0;
  let seen = 0;
  for (const [first, end] of stretches) {
    const count = Math.min(sampledGroups, end - first);
    const counts = ranks.counts(first, count);
    ranks.read(first, read.subarray(0, count));
    seen += count;
    for (let i = 0; i < count; i++) {
      if (counts[i] !== 0) sampled[used++] = desc ? read[i]! : -read[i]!;
    }
  }
  const wanted = Math.ceil(((max * seen) / groupCount) * guessMargin) + guessMarginGroups;
  if (wanted >= used) return Number.NEGATIVE_INFINITY;
  return selectLargest(sampled.subarray(0, used), wanted);
}

/** The best of the groups that rank no lower than `least`. */
function takeBest(
  context: RankContext,
  ranks: GroupRanks,
  ranges: readonly GroupRange[],
  least: number,
): ChosenGroups {
  const { memory, kernel, scratch } = context;
  const ranked = ranks.forKernel();
  const best = new BestRanks(ranks.preCut.max, least);
  let touched = 0;
  for (const step of stepsOf(ranges, groupsPerList)) {
    const [first, end] = step;
    const listed =
      ranked === null
        ? listWide(context, ranks, step, best.threshold)
        : kernel.listBestGroups(
            ...([scratch.codes, scratch.keys, ranked, first, end - first, best.threshold] as const),
          );
    const groups = new Uint32Array(memory.buffer, scratch.codes, listed + 1);
    const listedRanks = new Float64Array(memory.buffer, scratch.keys, listed);
    touched += groups[0]!;
    for (let i = 0; i < listed; i++) best.add(listedRanks[i]!, groups[i + 1]!);
  }
  const groups = best.finish();
  const groupsCut = touched - groups.length;
  const cutRanks =
    ranked === null ? null : readCutRanks(context, ranks.side, ranked, best.threshold);
  return cutRanks === null ? { groups, groupsCut } : { groups, groupsCut, cutRanks };
}

/**
 * The largest rank of the cut groups of each time bucket; null where groups are not ordered by
 * bucket.
 */
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
  // Only where time is the outermost component.
  if (runCount !== Number(components[time]!.cardinality) || runCount > segmentRowsMax) return null;
  kernel.listCutRanks(scratch.keys, ranked, runGroups, runCount, below);
  return new Float64Array(memory.buffer, scratch.keys, runCount).slice();
}

/** Lists groups of one step as the kernel does, for sums that the kernel does not rank. */
function listWide(
  { memory, scratch }: RankContext,
  ranks: GroupRanks,
  [first, end]: GroupRange,
  least: number,
): number {
  const { desc } = ranks.preCut;
  const count = end - first;
  const counts = ranks.counts(first, count);
  const groups = new Uint32Array(memory.buffer, scratch.codes, count + 1);
  const listedRanks = new Float64Array(memory.buffer, scratch.keys, count);
  const all = new Float64Array(count);
  ranks.read(first, all);
  let [touched, listed] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (counts[i] === 0) continue;
    touched++;
    const rank = desc ? all[i]! : -all[i]!;
    if (rank < least) continue;
    listedRanks[listed] = rank;
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
