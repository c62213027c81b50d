import {
  type BucketCover,
  type BucketCovers,
  type CoverLook,
  lookOfCover,
} from "../../answer/coverage.js";
import type { ChartInput } from "../../answer/series.js";
import { bucketEnd } from "../../answer/timeBuckets.js";

/** Adjacent buckets with the same completeness. */
export interface CoveredSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly look: CoverLook;
  /** Of the least complete bucket. */
  readonly cover: BucketCover;
}

/** The incomplete parts of the range, in order. */
export function coveredSpans(
  input: ChartInput,
  timesMs: readonly number[],
  covers: BucketCovers,
): CoveredSpan[] {
  const spans: CoveredSpan[] = [];
  for (const startMs of covers.size === 0 ? [] : timesMs) {
    const cover = covers.get(startMs);
    const look = lookOfCover(cover);
    if (cover === undefined || look === null) continue;
    const toMs = Math.min(bucketEnd(startMs, input), Math.max(input.toMs, startMs));
    const last = spans.at(-1);
    const isAlike =
      last?.toMs === startMs &&
      last.look === look &&
      last.cover.reason === cover.reason &&
      // Each step of thinning keeps another share, which its label says.
      (look !== "thinned" || last.cover.share === cover.share);
    const least = isAlike && last.cover.share < cover.share ? last.cover : cover;
    if (isAlike) spans[spans.length - 1] = { ...last, toMs, cover: least };
    else spans.push({ fromMs: startMs, toMs, look, cover });
  }
  return spans;
}

/** Whether the line to a bucket is dashed: the bucket is only partly covered. */
export const dashedBuckets = (timesMs: readonly number[], covers: BucketCovers): boolean[] =>
  timesMs.map((startMs) => {
    const cover = covers.get(startMs);
    return cover?.isCut === true || lookOfCover(cover) === "dashed";
  });

/** Whether a moving average includes an incomplete bucket. */
export function dashedAverages(
  timesMs: readonly number[],
  covers: BucketCovers,
  count: number,
): boolean[] {
  const isPart = dashedBuckets(timesMs, covers).map(
    (isDashed, at) => isDashed || lookOfCover(covers.get(timesMs[at] ?? 0)) === "hatched",
  );
  return isPart.map((_, at) => isPart.slice(Math.max(0, at - count + 1), at + 1).includes(true));
}

type Points = readonly (number | null)[];

/** A line without its dashed buckets, and these with their neighbours, so that the two meet; null: there are none. */
export function splitLine(
  points: Points,
  isDashed: readonly boolean[],
): { readonly solid: Points; readonly dashed: Points | null } {
  if (!isDashed.includes(true)) return { solid: points, dashed: null };
  const isNear = (at: number): boolean =>
    isDashed[at] === true || isDashed[at - 1] === true || isDashed[at + 1] === true;
  return {
    solid: points.map((value, at) => (isDashed[at] === true ? null : value)),
    dashed: points.map((value, at) => (isNear(at) ? value : null)),
  };
}
