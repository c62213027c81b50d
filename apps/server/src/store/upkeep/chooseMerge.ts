import { sampleRateColumn } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { fitsInt64, rescale } from "../../column/decimal.js";
import { columnTypeOf, type SegmentColumn } from "../../column/segmentColumn.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { segmentRowsMax } from "../segment/segmentView.js";

/** Segments merged at once: bounds the files that are read for it. */
const runMax = 256;
/**
 * A merged segment has at least this many times the rows of its largest source: so a row is
 * rewritten at most about log(65,536) / log(1.5) times.
 */
const growthMin = 1.5;
/** A segment may always span this much time, */
const spanMsMin = 3_600_000;
/**
 * or this share of the age of its youngest row: retention, which drops whole segments, is late by
 * no more than that.
 */
const spanPerAge = 1 / 20;

/** Has so many rows that no merge with another one could be large enough. */
export const isFullySized = ({ rowCount }: Pick<SealedSegment, "rowCount">): boolean =>
  rowCount * growthMin > segmentRowsMax;

/**
 * A run of neighbouring segments, in the order of generations, that should become one; null when
 * there is none. A step reads one segment's columns, of which there may be thousands: the caller
 * checks the found run again.
 */
export function* chooseMerge(
  segments: readonly SealedSegment[],
  nowMs: number,
  isFree: (segment: SealedSegment) => boolean,
): Steps<readonly SealedSegment[] | null> {
  const inOrder = segments.toSorted((a, b) => a.generation - b.generation);
  for (let first = 0; first + 1 < inOrder.length; first++) {
    const run = yield* longestRun(inOrder, first, nowMs, isFree);
    if (run !== null) return run;
  }
  return null;
}

function* longestRun(
  segments: readonly SealedSegment[],
  first: number,
  nowMs: number,
  isFree: (segment: SealedSegment) => boolean,
): Steps<readonly SealedSegment[] | null> {
  const lengths = runLengths(segments, first, nowMs, isFree);
  const [longest] = lengths;
  if (longest === undefined) return null;
  const columns = new Map<string, SegmentColumn>();
  let joined = 0;
  while (joined < longest && joins(columns, segments[first + joined]!)) {
    joined++;
    yield;
  }
  const length = lengths.find((one) => one <= joined);
  return length === undefined ? null : segments.slice(first, first + length);
}

/**
 * Possible lengths of a run from the first segment on, without regard to columns: the longest
 * first.
 */
function runLengths(
  segments: readonly SealedSegment[],
  first: number,
  nowMs: number,
  isFree: (segment: SealedSegment) => boolean,
): number[] {
  const lengths: number[] = [];
  let rowCount = 0;
  let rowCountMax = 0;
  let [minMs, maxMs, spanMsMax] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, spanMsMin];
  for (let at = first; at < Math.min(segments.length, first + runMax); at++) {
    const segment = segments[at]!;
    rowCount += segment.rowCount;
    if (rowCount > segmentRowsMax || !isFree(segment)) break;
    // A thinned segment is merged once its neighbour is thinned in the same way.
    if (!areThinnedAlike(segment, segments[first]!)) break;
    rowCountMax = Math.max(rowCountMax, segment.rowCount);
    minMs = Math.min(minMs, segment.minMs);
    maxMs = Math.max(maxMs, segment.maxMs);
    spanMsMax = Math.max(spanMsMax, segment.maxMs - segment.minMs);
    const isSpanFine = maxMs - minMs <= Math.max(spanMsMax, (nowMs - maxMs) * spanPerAge);
    if (at > first && isSpanFine && rowCount >= rowCountMax * growthMin)
      lengths.unshift(at - first + 1);
  }
  return lengths;
}

function areThinnedAlike(a: SealedSegment, b: SealedSegment): boolean {
  const keysOf = ({ thinnedKeys = new Map() }: SealedSegment) => [...thinnedKeys].sort();
  if (a.thinned !== b.thinned) return false;
  if (a.thinnedKeys === undefined && b.thinnedKeys === undefined) return true;
  return JSON.stringify(keysOf(a)) === JSON.stringify(keysOf(b));
}

/**
 * Whether the segment's columns have the types of the run's columns; adds them to these. A segment
 * with another type is not merged: no value is converted on the disk.
 */
function joins(columns: Map<string, SegmentColumn>, segment: SealedSegment): boolean {
  for (const [name, column] of segment.columns) {
    const known = columns.get(name);
    if (known === undefined) {
      columns.set(name, column);
      continue;
    }
    if (!isSameType(name, known, column)) return false;
    if (known.kind === "int" && column.kind === "int") columns.set(name, widerRange(known, column));
  }
  return true;
}

function isSameType(name: string, a: SegmentColumn, b: SegmentColumn): boolean {
  if (a.kind !== "int" || b.kind !== "int") return columnTypeOf(a) === columnTypeOf(b);
  if (a.decimals === b.decimals) return true;
  // Sample rates are weights as they are stored.
  if (name === sampleRateColumn) return false;
  const { min, max } = widerRange(a, b);
  return fitsInt64(min) && fitsInt64(max);
}

type Ints = Extract<SegmentColumn, { kind: "int" }>;

/** The range of both with the decimals of the finer one. */
function widerRange(a: Ints, b: Ints): Ints {
  const decimals = Math.max(a.decimals, b.decimals);
  const [finer, other] = a.decimals === decimals ? [a, b] : [b, a];
  const otherMin = rescale(other.min, other.decimals, decimals);
  const otherMax = rescale(other.max, other.decimals, decimals);
  // Mostly the first range contains the others.
  if (otherMin >= finer.min && otherMax <= finer.max) return finer;
  const inOrder = [finer.min, finer.max, otherMin, otherMax].sort(ascending);
  return { ...finer, min: inOrder[0]!, max: inOrder[3]! };
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b));
