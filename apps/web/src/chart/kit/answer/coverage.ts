import type { BucketCoverage, CoverageReason, Result } from "@hadal/sdk";
import { formatCompleteness } from "../../../format/change.js";
import { bucketEnd } from "./timeBuckets.js";

/** `cut`: the range covers a part of it; `unlike`: it is compared with a time of another length. */
export type CoverReason = CoverageReason | "cut" | "unlike";

/** An incomplete time bucket: the share that is covered, and why it is not all. */
export interface BucketCover {
  readonly share: number;
  readonly reason: CoverReason;
  /** The rows cover only a part of its time, whatever else is missing. */
  readonly isCut?: true;
}

/** By the start of the bucket; those that are not in it are whole. */
export type BucketCovers = ReadonlyMap<number, BucketCover>;

/** A result, and the range and bucket length of its query. */
interface Covered {
  readonly result: Result;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number | null;
  readonly timeZone: string;
}

/** How a bucket that is not whole is drawn. */
export type CoverLook = "gap" | "hatched" | "dashed" | "shaded" | "thinned";

/** null: as a whole one. */
export function lookOfCover(cover: BucketCover | undefined): CoverLook | null {
  if (cover === undefined) return null;
  const { share, reason } = cover;
  if (reason === "missing-leaves") return "hatched";
  if (reason === "unlike") return "shaded";
  if (reason === "cut") return "dashed";
  if (share === 0) return "gap";
  // Thinned rows represent the others: their values are whole, and error bars show the uncertainty.
  return reason === "thinned" ? "thinned" : "dashed";
}

/** Whether values of a bucket are lower than those of a whole one. */
export const isPartOf = (look: CoverLook | null): boolean =>
  look !== null && look !== "hatched" && look !== "thinned";

/** Nothing is known of it: there is no number, not even 0. */
export const isUnknown = (cover: BucketCover | undefined): boolean =>
  cover !== undefined && cover.share === 0 && cover.reason !== "unlike" && cover.reason !== "cut";

/** Buckets of side A that are not whole. */
export function coversOf(input: Covered): BucketCovers {
  const { result } = input;
  const covers = new Map<number, BucketCover>();
  for (const start of result.incomplete ?? []) covers.set(start, coverOfCut(start, input));
  for (const [start, share, reason] of result.coverage ?? []) {
    // Leaves that have not answered yet are no missing ones; where none has, nothing is known.
    if (!result.final && reason === "missing-leaves" && share > 0) continue;
    const isCut = reason === "missing-leaves" && covers.get(start)?.reason === "cut";
    covers.set(start, { share, reason, ...(isCut && { isCut }) });
  }
  return covers;
}

/** The same of side B, by the starts of side A's buckets. */
export const baseCoversOf = ({ result }: Pick<Covered, "result">): BucketCovers =>
  new Map(
    (result.compareCoverage ?? []).map(([start, share, reason]) => [start, { share, reason }]),
  );

function coverOfCut(start: number, input: Covered): BucketCover {
  const end = bucketEnd(start, input);
  const [from, to] = [Math.max(start, input.fromMs), Math.min(end, input.toMs, input.result.asOf)];
  if (from === start && to === end) return { share: 1, reason: "unlike" };
  return { share: Math.max(0, to - from) / Math.max(1, end - start), reason: "cut" };
}

/** Time that one side alone has rows of compares unlike with unlike. */
export const isTimeLeftOut = ([, , reason]: BucketCoverage): boolean =>
  reason === "before-data" || reason === "expired" || reason === "future";

/** Whether both sides have all rows of a bucket's time; null: they have of every one. */
export function alikeBuckets(input: Covered, timesMs: readonly number[]): boolean[] | null {
  const { coverage = [], compareCoverage = [] } = input.result;
  const apart = [...coverage, ...compareCoverage].filter(isTimeLeftOut);
  if (apart.length === 0) return null;
  const starts = new Set(apart.map(([start]) => start));
  return timesMs.map((startMs) => !starts.has(startMs));
}

/** How each of these buckets is drawn; null: as a whole one. */
export const looksOf = (covers: BucketCovers, timesMs: readonly number[]): (CoverLook | null)[] =>
  timesMs.map((startMs) => lookOfCover(covers.get(startMs)));

/** Why a bucket is not whole, in words: `52 % of its rows: no answer from leaf-2`. */
export function coverWords({ share, reason }: BucketCover, missing: readonly string[]): string {
  const part = formatCompleteness(share);
  switch (reason) {
    case "missing-leaves": {
      const silent = missing.length === 0 ? "" : `: no answer from ${missing.join(", ")}`;
      return share === 0 ? `rows unknown${silent}` : `${part} of its rows${silent}`;
    }
    case "open":
      return `still open: ${part} of its time has passed`;
    case "cut":
      return `the range covers ${part} of its time`;
    case "before-data":
      return share === 0 ? "before the table's first row" : "the table's first rows";
    case "future":
      return "not yet";
    case "expired":
      return share === 0 ? "no longer kept" : `${part} of its time is still kept`;
    case "thinned":
      return `about ${keptInWords(share)} was kept`;
    case "unlike":
      return "compared with a time of another length";
  }
}

/** The same in a chart, where there is little room. */
export function coverLabel({ share, reason }: BucketCover): string {
  if (reason === "missing-leaves")
    return share === 0 ? "no answer" : `≥ ${formatCompleteness(share)} of rows`;
  if (reason === "before-data") return "before the first row";
  if (reason === "future") return "not yet";
  if (reason === "thinned") return `${keptInWords(share)} kept`;
  return reason === "expired" ? "no longer kept" : "";
}

/** Of thinned rows: `one row of 10`. */
const keptInWords = (share: number): string => `one row of ${Math.round(1 / share)}`;

/** What shaded buckets are: `one row of 10 kept`, `one row of 10 to 100 kept`; null: none is shaded. */
export function thinnedWords(covers: BucketCovers): string | null {
  const shares = [...covers.values()].filter(({ reason }) => reason === "thinned");
  if (shares.length === 0) return null;
  const most = Math.max(...shares.map(({ share }) => share));
  const least = Math.min(...shares.map(({ share }) => share));
  return `${keptInWords(most)}${least < most ? ` to ${Math.round(1 / least)}` : ""} kept`;
}
