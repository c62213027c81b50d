import type { TimeSpan } from "../../base/row/columnTypes.js";
import type { ColumnReader } from "../../column/readColumn.js";
import { type SegmentView, timesOf } from "../../store/segment/segmentView.js";

/** Rows from `first` up to `end`, which is not among them. */
export type RowSpan = readonly [first: number, end: number];

/** Whether the segment may have rows in one of the ranges. */
export function isInRanges({ minMs, maxMs }: SegmentView, ranges: readonly TimeSpan[]): boolean {
  return ranges.some(({ fromMs, toMs }) => maxMs >= fromMs && minMs < toMs);
}

/** The rows of a segment in any of the ranges, ascending. */
export function rowsInRanges(
  segment: SegmentView,
  ranges: readonly TimeSpan[],
  reader: ColumnReader,
): readonly RowSpan[] {
  const { rowCount, minMs, maxMs } = segment;
  if (ranges.some(({ fromMs, toMs }) => minMs >= fromMs && maxMs < toMs)) return [[0, rowCount]];
  const times = timesOf(segment);
  const timeAt = (row: number): number => Number(reader.storedInt(times, row, rowCount));
  if (!segment.sorted) return unsortedRows(rowCount, ranges, timeAt);
  const spans = ranges.map(
    ({ fromMs, toMs }): RowSpan => [
      firstFrom(rowCount, fromMs, timeAt),
      firstFrom(rowCount, toMs, timeAt),
    ],
  );
  return joined(spans.filter(([first, end]) => first < end).sort(([a], [b]) => a - b));
}

function unsortedRows(
  rowCount: number,
  ranges: readonly TimeSpan[],
  timeAt: (row: number) => number,
): readonly RowSpan[] {
  const spans: RowSpan[] = [];
  let first = -1;
  for (let row = 0; row <= rowCount; row++) {
    const time = row < rowCount ? timeAt(row) : Number.NaN;
    const isInside = ranges.some(({ fromMs, toMs }) => time >= fromMs && time < toMs);
    if (isInside && first < 0) first = row;
    if (isInside || first < 0) continue;
    spans.push([first, row]);
    first = -1;
  }
  return spans;
}

/** The first row at or after a time; all rows are in the order of their times. */
function firstFrom(rowCount: number, ms: number, timeAt: (row: number) => number): number {
  let [low, high] = [0, rowCount];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(middle) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Spans in the order of their first rows, as spans that have no row twice. */
function joined(spans: readonly RowSpan[]): readonly RowSpan[] {
  const apart: RowSpan[] = [];
  for (const [first, end] of spans) {
    const last = apart.at(-1);
    if (last === undefined || first > last[1]) apart.push([first, end]);
    else apart[apart.length - 1] = [last[0], Math.max(last[1], end)];
  }
  return apart;
}
