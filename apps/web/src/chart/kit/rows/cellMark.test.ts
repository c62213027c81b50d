import type { GroupBy, Result, ResultColumn } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { inputOf, queryOf, resultOf } from "../../testing/answers.js";
import { countMeasure } from "../answer/series.js";
import { markOfCell } from "./cellMark.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const at = Date.UTC(2026, 9, 20, 9);
const range = (fromMs: number, toMs: number) => ({ fromMs, toMs });

/** The mark of the cell in this column of the first row. */
function markIn(result: Result, groupBy: readonly GroupBy[], name: string, more = {}) {
  const input = inputOf(result, { ...range(at, at + hour), ...more });
  const column = result.columns.find((one) => one.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  return markOfCell({ input, query: queryOf(groupBy) }, result.rows[0] ?? [], column);
}

const overTime = (startMs: number) =>
  resultOf(["time", "group service", "count"], [[startMs, "cart", 12]]);
const byMinute = [{ time: "1m" }, "service"];

describe("a cell of the answer as a table", () => {
  test("a number is its group in its bucket of time, a time its bucket, a name itself at all times", () => {
    const start = at + 5 * minute;
    const group = [{ column: "service", value: "cart" }];
    const times = { range: range(start, start + minute), rangeOf: range(at, at + hour) };
    expect(markIn(overTime(start), byMinute, "count")).toEqual({
      ...{ group, ...times, text: "12", label: "cart, 20 Oct 09:05 – 09:06" },
    });
    expect(markIn(overTime(start), byMinute, "time")).toEqual({
      ...{ group: [], ...times, label: "20 Oct 09:05 – 09:06", text: "2026-10-20T09:05:00.000Z" },
    });
    expect(markIn(overTime(start), byMinute, "service")).toEqual({ group, text: "cart" });
  });

  test.each([
    ["begins before the range", "1m", at - 20_000, range(at, at + 40_000)],
    ["ends after it", "15m", at + 50 * minute, range(at + 50 * minute, at + hour)],
    ["lies outside", "1m", at + 2 * hour, undefined],
  ])("a bucket that %s stays within it", (_, time, startMs, expected) => {
    expect(markIn(overTime(startMs), [{ time }, "service"], "count").range).toEqual(expected);
  });

  test.each([
    ["of 25 hours", "1d", Date.UTC(2026, 9, 24, 22), 25 * hour],
    ["of a month", "1mo", Date.UTC(2026, 9, 31, 23), 30 * day],
    ["of a quarter", "1q", Date.UTC(2026, 5, 30, 22), 92 * day],
  ])("a bucket %s ends where the clock of the zone says", (_, time, startMs, lengthMs) => {
    const more = { ...range(0, at + 365 * day), timeZone: "Europe/Berlin" };
    const mark = markIn(overTime(startMs), [{ time }, "service"], "count", more);
    expect(mark.range).toEqual(range(startMs, startMs + lengthMs));
  });

  test("several buckets of time: a number is where they meet, each time its own", () => {
    const columns: ResultColumn[] = [
      { name: "day", type: "time", role: "group" },
      { name: "time", type: "time", role: "group" },
      { name: "count", type: "int", role: "aggregate" },
    ];
    const start = at + hour;
    const rows = [[at - 9 * hour, start, 3]];
    const result = { ...resultOf([], rows), columns };
    const groupBy = [{ time: "1d", as: "day" }, { time: "1h" }];
    const whole = range(at - day, at + day);
    expect(markIn(result, groupBy, "count", whole).range).toEqual(range(start, start + hour));
    expect(markIn(result, groupBy, "day", whole).range).toEqual(
      range(at - 9 * hour, at + 15 * hour),
    );
  });

  test("split by the times of the rows, a number is of one millisecond", () => {
    expect(markIn(overTime(at), ["time", "service"], "count").range).toEqual(range(at, at + 1));
  });

  test("without a split by time there are no times; buckets of numbers read as ranges", () => {
    const result = resultOf(["bin latency_us", "count"], [[10, 4]]);
    const texts = new Map([["bin of latency_us", () => "10 – 20 µs"]]);
    const mark = markIn(result, [{ bucket: "latency_us", as: "bin of latency_us" }], "count", {
      ...{ texts, measures: [countMeasure] },
    });
    const cell = { column: "bin of latency_us", value: 10, text: "10 – 20 µs" };
    expect(mark).toEqual({ group: [cell], text: "4" });
  });

  test("a number of what the answer does not show cannot be asked for", () => {
    const result = resultOf(["group service", "count"], [["cart", 12]]);
    expect(markIn(result, byMinute, "count")).toMatchObject({
      group: [],
      filters: [],
      noFilter: "The answer does not show all that its rows are split by.",
    });
  });

  test("a value of a raw row stands for itself, a whole list too", () => {
    const columns: ResultColumn[] = [{ name: "tags", type: "set", role: "sample" }];
    const result = { ...resultOf([], [[["a", "b"]]]), columns };
    expect(markIn(result, [], "tags").group).toEqual([
      { column: "tags", value: '["a","b"]', text: "a, b", list: ["a", "b"] },
    ]);
  });
});
