import { BestRanks } from "./bestRanks.js";
import type { GroupRanks } from "./groupRanks.js";

export interface ChosenSeries {
  /** The groups of the kept series that have rows, ascending. */
  readonly groups: Uint32Array;
  /** Number of series that were left out. */
  readonly groupsCut: number;
}

/** Groups ranked at one time. */
const ranksPerStep = 4_096;
/** Rounded sums of ranks may err by this part of the largest. */
const roundingShare = 1e-9;

/**
 * Keeps the series that can be among the best over all time buckets. Series repeat from bucket to
 * bucket.
 */
export function cutSeries(
  ranks: GroupRanks,
  counts: Uint32Array,
  seriesCount: number,
): ChosenSeries {
  const totals = new SeriesTotals(seriesCount);
  const step = new Float64Array(ranksPerStep);
  for (let first = 0; first < counts.length; first += ranksPerStep) {
    const count = Math.min(ranksPerStep, counts.length - first);
    const part = step.subarray(0, count);
    ranks.read(first, part);
    totals.add(part, counts.subarray(first, first + count), first % seriesCount);
  }
  const { touched, threshold } = totals.rank(ranks);
  const kept = totals.above(ranks, threshold);
  return { groups: pointsOf(kept, counts, seriesCount), groupsCut: touched - kept.length };
}

/** The ranks of each series, summed over its time buckets. */
class SeriesTotals {
  readonly #totals: Float64Array;
  /** 1: the series has rows. */
  readonly #isTouched: Uint8Array;

  constructor(seriesCount: number) {
    this.#totals = new Float64Array(seriesCount);
    this.#isTouched = new Uint8Array(seriesCount);
  }

  /** Adds the ranks of neighbouring groups, of which the first belongs to `series`. */
  add(ranks: Float64Array, counts: Uint32Array, series: number): void {
    const totals = this.#totals;
    const isTouched = this.#isTouched;
    for (let i = 0; i < ranks.length; i++, series++) {
      if (series === totals.length) series = 0;
      if (counts[i] === 0) continue;
      isTouched[series] = 1;
      totals[series]! += ranks[i]!;
    }
  }

  /** How many series have rows, and the rank that the best of them reach for sure. */
  rank(ranks: GroupRanks): { readonly touched: number; readonly threshold: number } {
    const { max, desc } = ranks.preCut;
    const best = new BestRanks(max);
    let touched = 0;
    let largest = 0;
    for (let series = 0; series < this.#totals.length; series++) {
      if (this.#isTouched[series] === 0) continue;
      touched++;
      largest = Math.max(largest, Math.abs(this.#totals[series]!));
      best.add(desc ? this.#totals[series]! : -this.#totals[series]!, series);
    }
    best.finish();
    return { touched, threshold: best.threshold - largest * roundingShare };
  }

  above(ranks: GroupRanks, threshold: number): Uint32Array {
    const { desc } = ranks.preCut;
    const kept = new Uint32Array(this.#totals.length);
    let count = 0;
    for (let series = 0; series < kept.length; series++) {
      const rank = desc ? this.#totals[series]! : -this.#totals[series]!;
      if (this.#isTouched[series] === 1 && rank >= threshold) kept[count++] = series;
    }
    return kept.subarray(0, count);
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
