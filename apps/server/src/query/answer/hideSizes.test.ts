import type { Result } from "@hadal/sdk";
import { expect, it } from "vitest";
import { hideSizesOfResult } from "./hideSizes.js";

const result: Result = {
  columns: [],
  rows: [],
  completeness: {
    ...{ fraction: 0.5, rowsExpected: 10, rowsAnswered: 5 },
    leaves: { answered: 1, total: 2, missing: ["leaf-2"] },
  },
  intervals: { count: [[5, 10]] },
  notes: [{ text: "12 rows on leaf-1 do not count: their values of n are damaged." }],
  coverage: [
    [0, 0, "before-data"],
    [60_000, 0.5, "missing-leaves"],
  ],
  compareCoverage: [[0, 0, "before-data"]],
  ...{ asOf: 1, final: true, truncated: null },
  stats: {
    ...{ rowsScanned: 5, rowsMatched: 2, bytesScanned: 40, segments: 3, segmentsSkipped: 1 },
    ...{ cache: "miss", elapsedMs: 1, scanMs: 1, mergeMs: 0, predictedMs: 2 },
  },
};

it("leaves out what an answer says of the number of all rows", () => {
  expect(hideSizesOfResult(result)).toEqual({
    ...{ columns: [], rows: [], asOf: 1, final: true, truncated: null },
    completeness: { fraction: 0.5, leaves: result.completeness.leaves },
    intervals: {},
    notes: [
      { text: "Some rows on leaf-1 do not count: their values of n are damaged." },
      { text: "No error bars are given while rows are missing: they would count rows of others." },
    ],
    coverage: [[60_000, 0.5, "missing-leaves"]],
    stats: { rowsMatched: 2, cache: "miss", elapsedMs: 1, scanMs: 1, mergeMs: 0 },
  });
});

it("keeps error bars of a whole answer: they are of rows that may be read", () => {
  const completeness = { fraction: 1, leaves: { answered: 2, total: 2, missing: [] } };
  const { intervals } = hideSizesOfResult({ ...result, completeness });
  expect(intervals).toEqual(result.intervals);
});
