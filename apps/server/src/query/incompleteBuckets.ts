import type { FinalizedResult } from "../aggregate/finalizedResult.js";
import type { ResolvedQuery, ResolvedSide } from "../plan/resolvedQuery.js";
import { edgesOfBuckets } from "../plan/timeBuckets.js";

/**
 * Starts of the time buckets among the rows that the range covers in part only, or that are not over yet, on either side of
 * a comparison, or that one of its sides does not have: a local hour that comes twice is compared with one that came once. Ascending.
 */
export function incompleteBuckets(
  { sides, groupBy }: ResolvedQuery,
  { rows }: Pick<FinalizedResult, "rows">,
  asOf: number,
): readonly number[] {
  const timeIndex = groupBy.findIndex(({ kind }) => kind === "time");
  const buckets = sides[0]?.buckets ?? null;
  if (timeIndex < 0 || buckets === null) return [];
  const starts = edgesOfBuckets(buckets);
  const covered = sides.map((side) => coveredBuckets(side, asOf));
  const first = Math.max(...covered.map(([from]) => from));
  const end = Math.min(...covered.map(([, to]) => to));
  const bucketCount = starts.length - 1;
  const lacking = new Set(sides.flatMap((side) => emptyBuckets(side).map((i) => starts[i]!)));
  if (first === 0 && end === bucketCount && lacking.size === 0) return [];
  const wholeFrom = starts[first]!;
  const wholeTo = starts[Math.max(first, end)]!;
  const shown = new Set(rows.map((row) => Number(row[timeIndex])));
  const isWhole = (start: number): boolean =>
    start >= wholeFrom && start < wholeTo && !lacking.has(start);
  return [...shown].filter((start) => !isWhole(start)).sort((a, b) => a - b);
}

/** Numbers of the buckets that end where they begin. */
function emptyBuckets({ buckets }: ResolvedSide): readonly number[] {
  const edges = buckets === null ? [] : edgesOfBuckets(buckets);
  return edges.flatMap((edge, i) => (edge === edges[i + 1] ? [i] : []));
}

/** Buckets [first, end) lie within the range, and are over. */
function coveredBuckets({ fromMs, toMs, buckets }: ResolvedSide, asOf: number): [number, number] {
  const edges = buckets === null ? [] : edgesOfBuckets(buckets);
  const endMs = Math.min(toMs, asOf);
  let first = 0;
  let end = edges.length - 1;
  while (first < end && edges[first]! < fromMs) first += 1;
  while (end > first && edges[end]! > endMs) end -= 1;
  return [first, end];
}
