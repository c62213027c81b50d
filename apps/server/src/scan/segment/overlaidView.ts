import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/** A segment with columns of a query beside its own, or in place of them; undefined: it has none of that name. */
export function overlaidView(
  segment: SegmentView,
  own: ReadonlyMap<string, SegmentColumn | undefined>,
): SegmentView {
  const columns = {
    get: (name: string) => (own.has(name) ? own.get(name) : segment.columns.get(name)),
  };
  const { rowCount, sorted, times, timeBase, encodedTimes, minMs, maxMs } = segment;
  const { weights, weightMax, weightTotal, pins, columnBytes } = segment;
  return {
    rowCount,
    sorted,
    times,
    timeBase,
    encodedTimes,
    minMs,
    maxMs,
    columns,
    weights,
    weightMax,
    weightTotal,
    // They know nothing of the query's columns, nor of which rows count.
    sums: null,
    histograms: new Map(),
    pins,
    columnBytes,
  };
}
