import { HadalError, type Result, type ResultColumn } from "@hadal/sdk";
import { expect, test } from "vitest";
import { movedOf, rankMoved } from "./moved.js";
import { createReports, report, summaryOf, type TileReport } from "./reports.js";

interface Answer {
  readonly elapsedMs?: number;
  readonly fraction?: number;
  readonly missing?: readonly string[];
  readonly asOf?: number;
  readonly rows?: Result["rows"];
  readonly intervals?: Result["intervals"];
}

const columns = ["count", "count.compare", "count.delta", "count.delta_pct"].map(
  (name): ResultColumn => ({ name, type: "int", role: "aggregate" }),
);

function tile({
  elapsedMs = 1,
  fraction = 1,
  missing = [],
  asOf = 9,
  ...rest
}: Answer): TileReport {
  const leaves = { answered: 2 - missing.length, total: 2, missing };
  const result = {
    ...{ columns, rows: rest.rows ?? [], intervals: rest.intervals ?? {}, asOf, final: true },
    completeness: { fraction, rowsExpected: 0, rowsAnswered: 0, leaves },
    stats: { rowsScanned: 10, elapsedMs },
  } as unknown as Result;
  return {
    title: `${elapsedMs} ms`,
    result,
    numbers: [{ fn: "count" }],
    problem: null,
    isBusy: false,
    isRefused: false,
  };
}

test("the board's status is the worst of its tiles", () => {
  const problem = new HadalError("unknown-table", { table: "x", nearest: "" });
  const failed = { ...tile({}), result: null, problem, isBusy: true };
  const reports = createReports();
  report(reports, "a", tile({ elapsedMs: 7, asOf: 5 }));
  report(reports, "b", tile({ fraction: 0.5, missing: ["leaf-1"] }));
  report(reports, "c", failed);
  report(reports, "d", tile({}));
  report(reports, "d", null);
  expect(summaryOf(reports.getState())).toEqual({
    ...{
      tiles: 3,
      answered: 2,
      failed: 1,
      isBusy: true,
      isSettled: false,
      fraction: 0.5,
      missing: ["leaf-1"],
    },
    ...{ leaves: { answered: 1, total: 2 }, rowsScanned: 20, oldestMs: 5 },
    slowest: { title: "7 ms", elapsedMs: 7 },
  });
});

const moved = (value: number, base: number, error: number | null): TileReport =>
  tile({
    rows: [[value, base, value - base, 0]],
    intervals: {
      "count.delta": error === null ? [] : [[value - base - error, value - base + error]],
      ...(error !== null && { count: [[value - error, value + error]] }),
    },
  });

test("what moved: by how far the difference lies outside its error bars, unsure ones last", () => {
  const reports = new Map([
    ["noise", moved(105, 100, 50)],
    ["small", moved(110, 100, 2)],
    ["large", moved(40, 100, 20)],
    ["alone", { ...tile({}), result: null }],
  ]);
  const ranked = [...rankMoved(reports)];
  expect(ranked.map(([id]) => id)).toEqual(["large", "small", "noise"]);
  expect(ranked[0]?.[1]).toMatchObject({ isUnsure: false, percent: -60, score: 0.4 });
  expect(ranked[2]?.[1]).toMatchObject({ isUnsure: true, score: 0, percent: 5 });
});

test("a tile that compares nothing did not move, and one without a base is new", () => {
  expect(movedOf(tile({}))).toBeNull();
  expect(movedOf(moved(5, 0, null))).toMatchObject({ percent: "new", isUnsure: false });
});

test("a tile that has nothing to ask does not hold up the board; one that asks again does", () => {
  const settled = (...tiles: readonly TileReport[]) =>
    summaryOf(new Map(tiles.map((one, i) => [`${i}`, one]))).isSettled;
  const none = { ...tile({}), result: null };
  const problem = new HadalError("internal", {});
  expect(settled(tile({}), { ...none, isRefused: true }, { ...none, problem })).toBe(true);
  expect(settled(tile({}), none)).toBe(false);
  expect(settled({ ...tile({}), problem }, none)).toBe(false);
  expect(settled({ ...tile({}), isBusy: true })).toBe(false);
});
