import { expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../../testing/overTime.js";
import { buildSeries, countMeasure } from "../../answer/series.js";
import { dashedAverages } from "./covered.js";
import { averagedMeasure, averagedSet, overWindows } from "./movingAverage.js";
import { buildTimePlot } from "./plot.js";

const sum = (parts: readonly number[]): number => parts.reduce((a, b) => a + b, 0);

test("a window ends at its bucket, and one with a gap is a gap", () => {
  expect(overWindows([1, 2, 3, null, 5, 6, 7], 2, sum)).toEqual([
    ...[null, 3, 5, null],
    ...[null, 11, 13],
  ]);
  expect(overWindows([1, 2], 3, sum)).toEqual([null, null]);
});

test("lines, side B and error bars are averages, and are called so", () => {
  const rows = [
    [t0, "cart", 10, 4, 900, 1],
    [t0 + minute, "cart", 20, 8, null, 1],
    [t0 + 2 * minute, "cart", 30, 0, 700, 1],
    [t0 + 3 * minute, "cart", 2n ** 60n, 0, 800, 1],
  ];
  const result = {
    ...resultOf(rows, { compared: true }),
    intervals: {
      count: [
        [7, 13],
        [16, 24],
      ],
    },
  } as never;
  const input = inputOf(result, true);
  const [series] = averagedSet(buildSeries(input), input, 2).series;
  expect(series?.values).toEqual([
    [null, 15, 25, (2 ** 60 + 30) / 2],
    [null, null, null, 750],
  ]);
  expect(series?.compare?.[0]).toEqual([null, 6, 4, 0]);
  // Each bucket errs by itself: 3² and 4² of the sum, half of it for the average.
  expect(series?.intervals[0]?.[1]).toEqual([12.5, 17.5]);
  expect(series?.differences?.[0]?.[1]).toMatchObject({ value: 9 });
  expect(averagedMeasure(countMeasure, 2).label).toBe("count, average of 2");
  expect(averagedMeasure(countMeasure, 1)).toBe(countMeasure);
});

test("an average that includes an incomplete bucket is dashed", () => {
  const covers = new Map([[t0 + minute, { share: 0.5, reason: "missing-leaves" as const }]]);
  const times = [0, 1, 2, 3].map((i) => t0 + i * minute);
  expect(dashedAverages(times, covers, 2)).toEqual([false, true, true, false]);
  const input = inputOf(resultOf(times.map((time, i) => [time, "cart", i + 1, 1])));
  const set = averagedSet(buildSeries(input), input, 2);
  const [panel] = buildTimePlot(drawingOf(input, { set, covers, averageOf: 2 })).panels;
  expect(panel?.lines.map(({ side, points }) => [side, points])).toEqual([
    ["main", [null, null, null, 3.5]],
    ["open", [null, 1.5, 2.5, 3.5]],
  ]);
});
