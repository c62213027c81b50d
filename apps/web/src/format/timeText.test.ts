import { HadalError, resolveTimeRange } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMoment, parseTimeRange, printMoment, printTimeRange } from "./timeText.js";
import { addDays, clockOf, dayMs, dayOf, instantOf, weekdayOf } from "./zoned.js";

/** A Saturday. */
const nowMs = Date.UTC(2026, 10, 21, 12, 30);
const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"];
const parse = (text: string, zone = "UTC") => {
  const { from, to } = parseTimeRange(text, zone, nowMs);
  return `${from} ${to}`.replaceAll(":00.000Z", "Z");
};

describe("times as people write them", () => {
  test.each([
    ["-3h", "-3h now"],
    ["3h", "-3h now"],
    ["last 2 days", "-2d now"],
    ["past hour", "-1h now"],
    ["90 minutes", "-90m now"],
    ["-3h to -1h", "-3h -1h"],
    ["-1mo", "-1mo now"],
    ["2 months", "-2mo now"],
    ["past year", "-1y now"],
    ["last 2 quarters", "-2q now"],
    ["2 months ago to 1 month ago", "-2mo -1mo"],
    ["2026-01-31 0:00 to +1 month", "2026-01-31T00:00Z 2026-02-28T00:00Z"],
    ["3 hours ago to 1 hour ago", "-3h -1h"],
    ["today", "2026-11-21T00:00Z now"],
    ["yesterday", "2026-11-20T00:00Z 2026-11-21T00:00Z"],
    ["yesterday 9:00 to 12:00", "2026-11-20T09:00Z 2026-11-20T12:00Z"],
    ["yesterday 22:00 to 2:00", "2026-11-20T22:00Z 2026-11-21T02:00Z"],
    ["Mon 14:00 to now", "2026-11-16T14:00Z now"],
    ["sat", "2026-11-21T00:00Z now"],
    ["Mon to Wed", "2026-11-16T00:00Z 2026-11-19T00:00Z"],
    ["9am to noon", "2026-11-21T09:00Z 2026-11-21T12:00Z"],
    ["12am to 12:30 pm", "2026-11-21T00:00Z 2026-11-21T12:30Z"],
    ["since yesterday 18:00", "2026-11-20T18:00Z now"],
    ["2026-11-21 9:00", "2026-11-21T09:00Z now"],
    ["this week", "2026-11-16T00:00Z now"],
    ["last week", "2026-11-09T00:00Z 2026-11-16T00:00Z"],
    ["last month", "2026-10-01T00:00Z 2026-11-01T00:00Z"],
    ["this year", "2026-01-01T00:00Z now"],
    ["24 Dec", "2025-12-24T00:00Z 2025-12-25T00:00Z"],
    ["Nov 3, 2026 8:15 – 9:45", "2026-11-03T08:15Z 2026-11-03T09:45Z"],
    ["2026-11-21T09:00:00Z to +1h", "2026-11-21T09:00:00Z 2026-11-21T10:00Z"],
    ["2026-11-21T09:00:00+02:00..now", "2026-11-21T09:00:00+02:00 now"],
    ["1750500000000 to 1750503600000", "1750500000000 1750503600000"],
  ])("%s", (text, expected) => expect(parse(text)).toBe(expected));

  test.each([
    ["Europe/Berlin", "yesterday 9:00 to 12:00", "2026-11-20T08:00Z 2026-11-20T11:00Z"],
    // The day has 25 hours when the clocks go back, 23 when they go forward.
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00Z 2026-10-25T23:00Z"],
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00Z 2026-03-29T22:00Z"],
    ["Europe/Berlin", "2026-10-25 12:00 to 13:00", "2026-10-25T11:00Z 2026-10-25T12:00Z"],
    // In October 02:30 occurs twice and means the first; in March it is skipped and means 03:30.
    ["Europe/Berlin", "2026-10-25 2:30 to 4:00", "2026-10-25T00:30Z 2026-10-25T03:00Z"],
    ["Europe/Berlin", "2026-03-29 2:30 to 4:00", "2026-03-29T01:30Z 2026-03-29T02:00Z"],
    ["America/New_York", "2026-11-01 1:30 to 3:00", "2026-11-01T05:30Z 2026-11-01T08:00Z"],
    ["Asia/Kolkata", "2026-11-20", "2026-11-19T18:30Z 2026-11-20T18:30Z"],
  ])("in %s: %s", (zone, text, expected) => expect(parse(text, zone)).toBe(expected));

  test.each(["", "m", "yesterdayish", "2026-13-01", "2026-02-30", "12 to 3", "25:00 to 26:00"])(
    "“%s” is refused in words",
    (text) => expect(() => parse(text)).toThrow(/no range of time. Write -3h/),
  );
  test.each(["now to -3h", "yesterday to 2026-11-01", "2026-11-22T00:00:00Z to now"])(
    "“%s” ends before it starts",
    (text) => expect(() => parse(text)).toThrow(/start must lie before the end/),
  );
  test("whatever is typed is read or refused, nothing else", () => {
    const words = fc.constantFrom(
      ..."last to now -3h 9:00 Mon 2026-11-21 – since +1h ago".split(" "),
    );
    const text = fc.oneof(
      fc.string(),
      fc.array(words).map((parts) => parts.join(" ")),
    );
    fc.assert(
      fc.property(text, fc.constantFrom(...zones), (typed, zone) => {
        try {
          const { from, to } = parseTimeRange(typed, zone, nowMs);
          resolveTimeRange(from, to, nowMs);
        } catch (error) {
          expect(error).toBeInstanceOf(HadalError);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("ranges as text", () => {
  test.each([
    [{ from: "-3h", to: "now" }, "-3h"],
    [{ from: "-1mo", to: "now" }, "-1mo"],
    [{ from: "-2mo", to: "-1mo" }, "-2mo to -1mo"],
    [{ from: "2026-11-20T08:00:00Z", to: "2026-11-20T11:00:00Z" }, "2026-11-20 09:00 to 12:00"],
    [
      { from: "2026-11-20T08:00:00Z", to: "2026-11-21T08:00:01.5Z" },
      "2026-11-20 09:00 to 2026-11-21 09:00:01.500",
    ],
    [{ from: "2026-10-25T01:30:00Z", to: "now" }, "2026-10-25T01:30:00.000Z to now"],
  ])("%j is %s", (range, text) => expect(printTimeRange(range, "Europe/Berlin")).toBe(text));

  test("what is printed is read back to the millisecond, whatever the clocks do", () => {
    const start = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2026, 10, 20) });
    const length = fc.integer({ min: 1, max: 40 * dayMs });
    fc.assert(
      fc.property(start, length, fc.constantFrom(...zones), (fromMs, lengthMs, zone) => {
        const range = {
          from: new Date(fromMs).toISOString(),
          to: new Date(fromMs + lengthMs).toISOString(),
        };
        expect(parseTimeRange(printTimeRange(range, zone), zone, nowMs)).toEqual(range);
      }),
      { numRuns: 500 },
    );
  });
  test("clock time and day of an instant give it back, except for the hour that occurs twice", () => {
    const time = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2035, 0) });
    fc.assert(
      fc.property(time, fc.constantFrom(...zones), (timeMs, zone) => {
        const back = instantOf(dayOf(timeMs, zone), clockOf(timeMs, zone), zone);
        expect([0, 1_800_000, 3_600_000]).toContain(timeMs - back);
        expect(clockOf(back, zone)).toBe(clockOf(timeMs, zone));
      }),
    );
    expect(weekdayOf(addDays({ year: 2026, month: 11, day: 21 }, 2))).toBe(1);
  });
});

describe("one moment", () => {
  const parsed = (text: string, zone = "UTC") => new Date(parseMoment(text, zone, nowMs)).toJSON();
  test.each([
    ["now", "2026-11-21T12:30:00.000Z"],
    ["2 hours ago", "2026-11-21T10:30:00.000Z"],
    ["yesterday 9:00", "2026-11-20T08:00:00.000Z"],
    ["2026-11-21  9:00", "2026-11-21T08:00:00.000Z"],
    ["2026-11-21", "2026-11-20T23:00:00.000Z"],
    ["2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000Z"],
  ])("%j", (text, expected) => expect(parsed(text, "Europe/Berlin")).toBe(expected));

  test.each(["", "soon", "9:00 to 10:00", "2026-02-30", "1e9"])("%j is none", (text) => {
    expect(() => parsed(text)).toThrow(HadalError);
  });

  test("every moment is printed and parsed to itself", () => {
    const moment = fc.integer({ min: -1e12, max: 4e12 });
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (timeMs, zone) => {
        expect(parseMoment(printMoment(timeMs, zone), zone, nowMs)).toBe(timeMs);
      }),
    );
  });
});
