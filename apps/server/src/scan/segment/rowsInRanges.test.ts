import { describe, expect, it } from "vitest";
import type { ColumnReader } from "../../column/readColumn.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { isInRanges, rowsInRanges } from "./rowsInRanges.js";

function rowsOf(
  times: readonly number[],
  ranges: readonly (readonly [from: number, to: number])[],
): { readonly isIn: boolean; readonly spans: readonly (readonly number[])[] } {
  const [minMs, maxMs] = [Math.min(...times), Math.max(...times)];
  const sorted = times.every((time, i) => i === 0 || times[i - 1]! <= time);
  const segment = { rowCount: times.length, sorted, minMs, maxMs } as SegmentView;
  const reader = { storedInt: (_: unknown, row: number) => BigInt(times[row]!) };
  const asked = ranges.map(([fromMs, toMs]) => ({ fromMs, toMs }));
  return {
    isIn: isInRanges(segment, asked),
    spans: rowsInRanges(segment, asked, reader as unknown as ColumnReader),
  };
}

describe("rows in time ranges", () => {
  const sorted = [1, 2, 2, 3, 5, 8];
  it.each<[string, readonly number[], [number, number][], [number, number][]]>([
    ["all", sorted, [[1, 9]], [[0, 6]]],
    ["all but the last, whose time is the end", sorted, [[1, 8]], [[0, 5]]],
    ["those of one time", sorted, [[2, 3]], [[1, 3]]],
    ["none in a gap", sorted, [[6, 8]], []],
    [
      "of two ranges, in order",
      sorted,
      [
        [5, 9],
        [1, 2],
      ],
      [
        [0, 1],
        [4, 6],
      ],
    ],
    [
      "of two that overlap, once",
      sorted,
      [
        [2, 6],
        [3, 9],
      ],
      [[1, 6]],
    ],
    [
      "of two side by side, once",
      sorted,
      [
        [1, 3],
        [3, 6],
      ],
      [[0, 5]],
    ],
    [
      "of a segment without order",
      [5, 1, 2, 9, 3],
      [[1, 4]],
      [
        [1, 3],
        [4, 5],
      ],
    ],
  ])("%s", (_, times, ranges, spans) => {
    expect(rowsOf(times, ranges).spans).toEqual(spans);
  });

  it("are looked for where the segment reaches", () => {
    expect(rowsOf(sorted, [[8, 9]]).isIn).toBe(true);
    expect(rowsOf(sorted, [[9, 10]]).isIn).toBe(false);
    expect(rowsOf(sorted, [[0, 1]]).isIn).toBe(false);
    expect(
      rowsOf(sorted, [
        [0, 1],
        [1, 2],
      ]).isIn,
    ).toBe(true);
  });
});
