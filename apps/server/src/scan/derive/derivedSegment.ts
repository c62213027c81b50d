import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { SegmentView } from "../../store/segment/segmentView.js";

/** A segment with further columns; the facts about its rows are those of the segment. */
export class DerivedSegment implements SegmentView {
  readonly rowCount: SegmentView["rowCount"];
  readonly sorted: SegmentView["sorted"];
  readonly times: SegmentView["times"];
  readonly timeBase: SegmentView["timeBase"];
  readonly encodedTimes: SegmentView["encodedTimes"];
  readonly minMs: SegmentView["minMs"];
  readonly maxMs: SegmentView["maxMs"];
  readonly columns: SegmentView["columns"];
  readonly weights: SegmentView["weights"];
  readonly weightMax: SegmentView["weightMax"];
  readonly weightTotal: SegmentView["weightTotal"];
  readonly sums: SegmentView["sums"];
  readonly histograms: SegmentView["histograms"];
  readonly pins: SegmentView["pins"];
  readonly columnBytes: SegmentView["columnBytes"];

  constructor(segment: SegmentView, added: ReadonlyMap<string, SegmentColumn | undefined>) {
    this.rowCount = segment.rowCount;
    this.sorted = segment.sorted;
    this.times = segment.times;
    this.timeBase = segment.timeBase;
    this.encodedTimes = segment.encodedTimes;
    this.minMs = segment.minMs;
    this.maxMs = segment.maxMs;
    this.weights = segment.weights;
    this.weightMax = segment.weightMax;
    this.weightTotal = segment.weightTotal;
    this.sums = segment.sums;
    this.histograms = segment.histograms;
    this.pins = segment.pins;
    this.columnBytes = segment.columnBytes;
    const { columns } = segment;
    this.columns = { get: (name) => (added.has(name) ? added.get(name) : columns.get(name)) };
  }
}
