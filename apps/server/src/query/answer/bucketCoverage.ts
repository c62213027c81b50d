import type { BucketCoverage, TableSettings } from "@hadal/sdk";
import type { LeafRows } from "../../aggregate/estimate/timeSizes.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { countOf } from "../../aggregate/state/countState.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { MissingRows } from "./missingRows.js";

/** Maximum number of incomplete buckets that are listed: more than a chart draws, some 200 KB. */
export const coverageMax = 5_000;

/** The natural beginning and end of a table's rows. */
export interface TableTimes {
  /** Start of the first minute with rows; null if unknown. */
  readonly firstMs: number | null;
  readonly settings: Pick<TableSettings, "retention" | "thinning">;
}

export interface CoverageOptions {
  readonly asOf: number;
  readonly times: TableTimes;
  /** The merged result: it shows which rows represent others. */
  readonly merged: Pick<PartialResult, "sides">;
  /** Null if no row is missing. */
  readonly missing: Pick<MissingRows, "sizes" | "answeredShares"> | null;
}

/** The incomplete time buckets, with or without rows, ascending. Buckets with missing leaves are listed first if there are too many. */
export function bucketCoverage(
  { sides, groupBy }: ResolvedQuery,
  options: CoverageOptions,
): readonly BucketCoverage[] {
  const [main] = sides;
  if (main?.buckets == null || !groupBy.some(({ kind }) => kind === "time")) return [];
  const edges = edgesOfBuckets(main.buckets);
  const found = options.missing === null ? [] : missingBuckets(sides, options.missing);
  const isFound = new Set(found.map(([start]) => start));
  const inTime = createTimeCoverage(main, 0, options);
  for (let bucket = 0; bucket < edges.length - 1 && found.length < coverageMax; bucket++) {
    const [start, end] = [edges[bucket]!, edges[bucket + 1]!];
    const coverage = start === end || isFound.has(start) ? null : inTime(start, end, bucket);
    if (coverage !== null) found.push(coverage);
  }
  return found.sort(([a], [b]) => a - b);
}

/**
 * The coverage of side B by time, retention and thinning: per bucket, with the starts of side A's buckets, or without a time
 * bucket for the range as one. Missing leaves are in the coverage of side A.
 */
export function compareCoverage(
  { sides, groupBy }: ResolvedQuery,
  options: Omit<CoverageOptions, "missing">,
): readonly BucketCoverage[] {
  const [main, base] = sides;
  if (main === undefined || base === undefined) return [];
  const isByTime = groupBy.some(({ kind }) => kind === "time");
  const edgesOf = ({ buckets, fromMs, toMs }: ResolvedSide): ArrayLike<number> =>
    isByTime && buckets !== null ? edgesOfBuckets(buckets) : [fromMs, toMs];
  const [starts, edges] = [edgesOf(main), edgesOf(base)];
  const inTime = createTimeCoverage(base, 1, options);
  const found: BucketCoverage[] = [];
  for (let bucket = 0; bucket < edges.length - 1 && found.length < coverageMax; bucket++) {
    const [start, end] = [edges[bucket]!, edges[bucket + 1]!];
    const coverage = start === end ? null : inTime(start, end, bucket);
    if (coverage !== null) found.push([starts[bucket]!, coverage[1], coverage[2]]);
  }
  return found;
}

/** Coverage where rows of leaves are missing: the lower share of both sides. */
function missingBuckets(
  sides: readonly ResolvedSide[],
  { sizes, answeredShares }: Pick<MissingRows, "sizes" | "answeredShares">,
): BucketCoverage[] {
  const found: BucketCoverage[] = [];
  const edges = sides.map(({ buckets }) => (buckets === null ? [] : edgesOfBuckets(buckets)));
  const starts = edges[0]!;
  for (let bucket = 0; bucket < starts.length - 1 && found.length < coverageMax; bucket++) {
    let least = 1;
    sides.forEach(({ fromMs, toMs }, side) => {
      const startMs = Math.max(fromMs, edges[side]![bucket]!);
      const endMs = Math.min(toMs, edges[side]![bucket + 1]!);
      least = Math.min(least, answeredShare(sizes(side).rowsOf(startMs, endMs), answeredShares));
    });
    if (least < 1) found.push([starts[bucket]!, least, "missing-leaves"]);
  }
  return found;
}

function answeredShare({ answered, missing }: LeafRows, shares: readonly number[]): number {
  let [expected, there] = [missing, 0];
  answered.forEach((rows, leaf) => {
    expected += rows;
    there += rows * shares[leaf]!;
  });
  return expected === 0 ? 1 : there / expected;
}

type CoverageOf = (start: number, end: number, bucket: number) => BucketCoverage | null;

/** The coverage of a bucket by time, retention and thinning. */
function createTimeCoverage(
  side: ResolvedSide,
  sideIndex: number,
  { asOf, times: { firstMs, settings }, merged }: Omit<CoverageOptions, "missing">,
): CoverageOf {
  const { retention, thinning } = settings;
  const keptFromMs =
    retention.maxAgeMs === null ? Number.NEGATIVE_INFINITY : asOf - retention.maxAgeMs;
  const isThinned = thinning.length === 0 ? null : thinnedBuckets(merged, sideIndex);
  // It is unknown whether the limit of bytes has removed rows before the first one.
  const before = retention.maxBytes === null ? "before-data" : "expired";
  const shareFrom = (atMs: number, start: number, end: number): number =>
    Math.max(0, (end - atMs) / (end - start));
  return (start, end, bucket) => {
    if (start >= asOf) return [start, 0, "future"];
    if (start < keptFromMs) return [start, shareFrom(keptFromMs, start, end), "expired"];
    if (firstMs !== null && start < firstMs && side.fromMs < firstMs) {
      return [start, shareFrom(firstMs, start, end), before];
    }
    if (end > asOf) return [start, (asOf - start) / (end - start), "open"];
    const step = thinning.findLast(({ afterMs }) => end <= asOf - afterMs);
    if (step !== undefined && isThinned?.has(bucket) === true) {
      return [start, 1 / step.keepOneIn, "thinned"];
    }
    return null;
  };
}

/** Indexes of the buckets with thinned rows, and of those between them that have none left. */
function thinnedBuckets(
  { sides }: Pick<PartialResult, "sides">,
  sideIndex: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  const filled = new Set<number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { groupCount, keys, states } of sides.slice(sideIndex, sideIndex + 1)) {
    const time = keys.find((key) => key.kind === "bucket");
    const [rows, weights] = states;
    if (time?.kind !== "bucket" || rows === undefined || weights === undefined) continue;
    for (let group = 0; group < groupCount; group++) {
      const bucket = time.indexes[group]!;
      filled.add(bucket);
      if (countOf(rows, group) === countOf(weights, group)) continue;
      found.add(bucket);
      [first, last] = [Math.min(first, bucket), Math.max(last, bucket)];
    }
  }
  for (let bucket = first; bucket < last; bucket++) if (!filled.has(bucket)) found.add(bucket);
  return found;
}
