import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PartialSide, StateColumn } from "../partial/partialResult.js";
import { roughSums } from "../state/sumState.js";

/** Sums of hundreds of ranks below this are exact in an f64. */
export const rankMax = 2 ** 45;

/** A part's groups (series) by their numbers, and the rank value of each. */
export interface RankedPart {
  readonly side: PartialSide;
  /** The number of each group of the side (of a point: that of its series). */
  readonly numbers: Int32Array;
  readonly groups: Int32Array;
  readonly ranks: Float64Array;
}

/** Infinity where no value was present. */
export function rankGroups(side: PartialSide, column: StateColumn, groups: Int32Array): RankedPart {
  return { side, numbers: groups, groups, ranks: ranksOf(column) };
}

export function ranksOf(column: StateColumn): Float64Array {
  return column.kind === "count" ? column.values : roughSums(column);
}

/** Ranks series by the sums of their points. */
export function rankSeries(
  side: PartialSide,
  column: StateColumn,
  seriesOf: Int32Array,
  count: number,
): RankedPart {
  const points = ranksOf(column);
  const totals = new Float64Array(count).fill(Number.NaN);
  let seriesCount = 0;
  for (let i = 0; i < points.length; i++) {
    const series = seriesOf[i]!;
    if (Number.isNaN(totals[series])) {
      totals[series] = 0;
      seriesCount++;
    }
    // A value that is NaN or too large to add makes the total of the series infinite.
    totals[series]! += Math.abs(points[i]!) < rankMax ? points[i]! : Number.POSITIVE_INFINITY;
  }
  const groups = new Int32Array(seriesCount);
  let used = 0;
  for (let series = 0; series < count; series++) {
    if (!Number.isNaN(totals[series])) groups[used++] = series;
  }
  const ranks = new Float64Array(seriesCount);
  for (let i = 0; i < ranks.length; i++) ranks[i] = totals[groups[i]!]!;
  return { side, numbers: seriesOf, groups, ranks };
}

/** The time bucket of each group; null if no leaf reports its cuts per bucket. */
export function bucketsOf(
  ranked: readonly RankedPart[],
  count: number,
  { groupBy }: ResolvedQuery,
): Int32Array | null {
  if (ranked.every(({ side }) => side.cutRanks === undefined)) return null;
  const time = groupBy.findIndex(({ kind }) => kind === "time");
  const bucketOf = new Int32Array(count);
  for (const { side, groups } of ranked) {
    const key = side.keys[time];
    if (key?.kind !== "bucket") return null;
    for (let i = 0; i < groups.length; i++) bucketOf[groups[i]!] = key.indexes[i]!;
  }
  return bucketOf;
}
