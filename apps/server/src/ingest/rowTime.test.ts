import { describe, expect, it } from "vitest";
import { batchRows } from "../base/testing/batchRows.js";
import { RowRejected } from "./rowRejected.js";
import { readRowTime, rowTimeMsMax, rowTimeMsMin } from "./rowTime.js";
import { collect, collectRow } from "./testing/collect.js";

describe("readRowTime", () => {
  it.each([
    [1750500000000, 1750500000000],
    [0, 0],
    [-1, -1],
    [rowTimeMsMin, rowTimeMsMin],
    [rowTimeMsMax, rowTimeMsMax],
    ["1970-01-01T00:00:00Z", 0],
    ["2025-06-21T10:00:00Z", Date.UTC(2025, 5, 21, 10)],
    ["2025-06-21 10:00:00+02:00", Date.UTC(2025, 5, 21, 8)],
    ["2025-06-21T10:00:00 -0330", Date.UTC(2025, 5, 21, 13, 30)],
    ["2025-06-21T10:00+05", Date.UTC(2025, 5, 21, 5)],
    ["2025-06-21t10:00:00.5z", Date.UTC(2025, 5, 21, 10, 0, 0, 500)],
    ["2025-06-21T10:00:00.123999999999Z", Date.UTC(2025, 5, 21, 10, 0, 0, 123)],
    ["2024-02-29T00:00:00,25Z", Date.UTC(2024, 1, 29, 0, 0, 0, 250)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["0001-01-01T00:00:00Z", rowTimeMsMin],
    ["9999-12-31T23:59:59.999Z", rowTimeMsMax],
  ])("reads %s", (value, ms) => {
    expect(readRowTime(value, "time")).toBe(ms);
  });

  it.each([
    "2025-06-21T10:00:00",
    "2025-06-21",
    "2025-02-29T00:00:00Z",
    "2025-04-31T00:00:00Z",
    "2025-13-01T00:00:00Z",
    "2025-00-01T00:00:00Z",
    "2025-01-00T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01T00:60:00Z",
    "2025-01-01T00:00:61Z",
    "2025-01-01T00:00:00+24:00",
    "2025-01-01T00:00:00+02:60",
    "0001-01-01T00:00:00+01:00",
    "now",
    "",
    "1750500000000",
    1750500000000.5,
    Number.POSITIVE_INFINITY,
    rowTimeMsMin - 1,
    rowTimeMsMax + 1,
    1750500000000000,
    true,
    [],
    {},
  ])("refuses %s", (value) => {
    expect(() => readRowTime(value, "time")).toThrow(RowRejected);
  });
});

describe("the time of a row", () => {
  it.each(['{"x":1}', '{"time":null}', "{}"])("%s has none", async (row) => {
    expect((await collectRow(row)).problems).toMatchObject([{ line: 1, code: "time-missing" }]);
  });

  it("comes from the column that the request names, also a nested one", async () => {
    const rows = await collect('{"at":{"ms":5},"x":1}\n{"at":{"ms":"5"},"x":1}', {
      timeName: "at.ms",
    });
    expect([...rows.batches[0]!.times]).toEqual([5]);
    expect(batchRows(rows.batches[0]!)).toEqual([{ x: { int: 1n, decimals: 0 } }]);
    expect(rows.problems).toMatchObject([{ line: 2, code: "time-invalid" }]);
  });

  it("may not be joined by another column called time", async () => {
    const rows = await collect('{"at":5,"time":6}\n{"at":7}', { timeName: "at" });
    expect(rows.problems).toMatchObject([{ line: 1, code: "name-reserved" }]);
    expect([...rows.batches[0]!.times]).toEqual([7]);
  });
});
