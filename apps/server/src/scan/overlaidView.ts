import type { SegmentColumn } from "../column/segmentColumn.js";
import type { SegmentView } from "../store/segmentView.js";

/** A segment with columns of a query beside its own. */
export function overlaidView(
  segment: SegmentView,
  own: ReadonlyMap<string, SegmentColumn>,
): SegmentView {
  const columns = { get: (name: string) => own.get(name) ?? segment.columns.get(name) };
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
