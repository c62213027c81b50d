import { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/**
 * A list of segments, and their places in `totals`, which have the facts about hundreds of segments
 * side by side: reading object by object would be slow.
 */
export interface SegmentsInTotals {
  readonly totals: SegmentTotals;
  /** Aligned with the list; there may be more of them. */
  readonly places: Uint32Array;
}

const noted = new WeakMap<readonly SegmentView[], SegmentsInTotals>();

/** That these segments, of those that totals follow now, stand at these places. */
export function noteSegmentsInTotals(
  segments: readonly SegmentView[],
  totals: SegmentTotals,
  places: Uint32Array,
): void {
  noted.set(segments, { totals, places });
}

/**
 * Valid until the end of the turn: then the table, and its totals, may change. A list that was not
 * noted, or that is outdated, gets new totals.
 */
export function segmentsInTotals(segments: readonly SegmentView[]): SegmentsInTotals {
  const known = noted.get(segments);
  if (known?.totals.areAt(known.places, segments) === true) return known;
  const totals = new SegmentTotals();
  totals.follow(segments);
  const own = { totals, places: Uint32Array.from(segments, (_, i) => i) };
  noted.set(segments, own);
  return own;
}

/** Rows of all of them. */
export function rowsOf(segments: readonly SegmentView[]): number {
  const { totals, places } = segmentsInTotals(segments);
  let rows = 0;
  for (let i = 0; i < segments.length; i++) rows += totals.rowCounts[places[i]!]!;
  return rows;
}

/** The sample rates of each segment. */
export interface SegmentWeights {
  readonly address: Float64Array;
  /** -1: every row has the weight 1. */
  readonly width: Int8Array;
}

export function segmentWeights(totals: SegmentTotals): SegmentWeights {
  return totals.followed("weights", createWeights, fillWeights);
}

/** Whether rows of any of them have sample rates. */
export function areWeighted(segments: readonly SegmentView[]): boolean {
  const { totals, places } = segmentsInTotals(segments);
  const { width } = segmentWeights(totals);
  for (let i = 0; i < segments.length; i++) if (width[places[i]!]! >= 0) return true;
  return false;
}

const createWeights = (capacity: number): SegmentWeights => ({
  address: new Float64Array(capacity),
  width: new Int8Array(capacity),
});

function fillWeights(
  { address, width }: SegmentWeights,
  at: number,
  { weights }: SegmentView,
): void {
  address[at] = weights?.address ?? 0;
  width[at] = weights?.width ?? -1;
}
