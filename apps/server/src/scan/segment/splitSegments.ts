import type { PartialSide } from "../../aggregate/partial/partialResult.js";
import type { ResolvedQuery, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { noteSegmentsInTotals } from "../program/segmentsInTotals.js";
import { type AskedTotals, aggregateAnswer, asksAggregates, totalsOf } from "./aggregateAnswer.js";
import { decideFilter, verdicts } from "./decideFilter.js";
import { storedPartOf } from "./sandboxParts.js";

export interface SplitSegments {
  readonly scanned: readonly SegmentView[];
  /** The answer of segments that are not scanned; null: there are none. */
  readonly known: PartialSide | null;
  /** Rows of these segments: all of them pass the filter. */
  readonly knownRows: number;
}

/**
 * Per side: which segments must be scanned, and the answer of those that need no scan. Segments
 * outside the range, or without a row that passes the filter, are left out. `totals` follow the
 * snapshot.
 */
export function splitSegments(
  query: ResolvedQuery,
  snapshot: readonly SegmentView[],
  totals: SegmentTotals | null,
  memory: WebAssembly.Memory,
): SplitSegments[] {
  return storedPartOf(query).sides.map((side) =>
    totals === null
      ? { scanned: [], known: null, knownRows: 0 }
      : splitSide(query, side, { snapshot, totals, memory }),
  );
}

interface FollowedSnapshot {
  readonly snapshot: readonly SegmentView[];
  /** They follow the snapshot. */
  readonly totals: SegmentTotals;
  readonly memory: WebAssembly.Memory;
}

function splitSide(
  query: ResolvedQuery,
  side: ResolvedSide,
  { snapshot, totals, memory }: FollowedSnapshot,
): SplitSegments {
  const { minMs, maxMs } = totals;
  const asked = asksAggregates(query) ? totalsOf(query, totals) : null;
  const decided = decideFilter(side.filter, totals, snapshot.length);
  const scanned: SegmentView[] = [];
  const places = new Uint32Array(snapshot.length);
  const aggregated = new Int32Array(asked === null ? 0 : snapshot.length);
  let aggregatedCount = 0;
  for (let i = 0; i < snapshot.length; i++) {
    if (maxMs[i]! < side.fromMs || minMs[i]! >= side.toMs) continue;
    if (decided[i] === verdicts.none) continue;
    const isWhole =
      decided[i] === verdicts.all && minMs[i]! >= side.fromMs && maxMs[i]! < side.toMs;
    const segment = snapshot[i]!;
    if (asked !== null && isWhole && isKnown(segment, i, asked)) {
      aggregated[aggregatedCount++] = i;
    } else {
      places[scanned.length] = i;
      scanned.push(segment);
    }
  }
  noteSegmentsInTotals(scanned, totals, places);
  if (asked === null || aggregatedCount === 0) return { scanned, known: null, knownRows: 0 };
  const segments = aggregated.subarray(0, aggregatedCount);
  const knownRows = segments.reduce((sum, place) => sum + totals.rowCounts[place]!, 0);
  const known = aggregateAnswer(query, { segments, totals, memory }, asked);
  return { scanned, known, knownRows };
}

function isKnown({ sums }: SegmentView, place: number, asked: AskedTotals): boolean {
  return sums !== null && asked.every((one) => one === null || one.known[place] === 1);
}
