import type { FinalizedResult } from "../../aggregate/finish/finalizedResult.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import { compareLengths } from "./compareLengths.js";

/**
 * Starts of the result's time buckets that the range covers in part only or that are not over yet, on either side of a
 * comparison, or whose bucket on the other side has another length: a local hour that occurs twice against one that occurs
 * once, 28 February against the last four days of January. Ascending.
 */
export function incompleteBuckets(
  resolved: ResolvedQuery,
  { rows }: Pick<FinalizedResult, "rows">,
  asOf: number,
): readonly number[] {
  const { sides, groupBy } = resolved;
  const timeIndex = groupBy.findIndex(({ kind }) => kind === "time");
  const buckets = sides[0]?.buckets ?? null;
  if (timeIndex < 0 || buckets === null) return [];
  const starts = edgesOfBuckets(buckets);
  const covered = sides.map((side) => coveredBuckets(side, asOf));
  const first = Math.max(...covered.map(([from]) => from));
  const end = Math.min(...covered.map(([, to]) => to));
  const lengths = compareLengths(resolved);
  if (first === 0 && end === starts.length - 1 && lengths === null) return [];
  const wholeFrom = starts[first]!;
  const wholeTo = starts[Math.max(first, end)]!;
  const found = new Set<number>();
  for (const row of rows) {
    const start = Number(row[timeIndex]);
    if (found.has(start)) continue;
    const isCut = start < wholeFrom || start >= wholeTo;
    if (isCut || (lengths !== null && !lengths.areEqual(row))) found.add(start);
  }
  return [...found].sort((a, b) => a - b);
}

/** Buckets [first, end) are within the range and over. */
function coveredBuckets({ fromMs, toMs, buckets }: ResolvedSide, asOf: number): [number, number] {
  const edges = buckets === null ? [] : edgesOfBuckets(buckets);
  const endMs = Math.min(toMs, asOf);
  let first = 0;
  let end = edges.length - 1;
  while (first < end && edges[first]! < fromMs) first += 1;
  while (end > first && edges[end]! > endMs) end -= 1;
  return [first, end];
}
