import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/**
 * A segment with columns of a query that are added to its own or replace them; undefined: the
 * column is removed.
 */
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
    // The stored aggregates do not include the query's columns, nor which rows count.
    sums: null,
    histograms: new Map(),
    pins,
    columnBytes,
  };
}
