import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HadalError } from "../problem/problem.js";
import { durationMs, parseDuration } from "./duration.js";
import { hasCalendarSteps, isRelativeTime, resolveTime, resolveTimeRange } from "./parseTime.js";

const nowMs = Date.UTC(2025, 5, 21, 12, 0, 0);

test.each([" ", "-1h", "9"])("a text of a million %j is refused at once", (part) => {
  expect(() => resolveTime(`now${part.repeat(1_000_000)}x`, nowMs)).toThrow("longer than a time");
});

describe("resolveTime", () => {
  test.each<[string | number, number]>([
    ["now", nowMs],
    ["-3h", nowMs - 10_800_000],
    ["now-3h", nowMs - 10_800_000],
    ["now - 3h", nowMs - 10_800_000],
    ["now+1h", nowMs + 3_600_000],
    ["now + 1ms", nowMs + 1],
    ["-90s", nowMs - 90_000],
    ["-500ms", nowMs - 500],
    ["-2d", nowMs - 172_800_000],
    ["-1w", nowMs - 604_800_000],
    ["now/1d", Date.UTC(2025, 5, 21)],
    ["-3h/5h", Date.UTC(2025, 5, 21, 5)],
    ["now - 1d / 1w", Date.UTC(2025, 5, 16)],
    ["now/1mo", Date.UTC(2025, 5, 1)],
    ["-1mo/1q", Date.UTC(2025, 3, 1)],
    ["2025-06-21T10:34:56.789Z/5m", Date.UTC(2025, 5, 21, 10, 30)],
    ["now/4mo", Date.UTC(2025, 4, 1)],
    ["now/1y/1w", Date.UTC(2024, 11, 30)],
    ["2025-06-21", Date.UTC(2025, 5, 21)],
    ["2025-06-21T10:00Z", Date.UTC(2025, 5, 21, 10)],
    ["2025-06-21T10:00:00.1234Z", Date.UTC(2025, 5, 21, 10, 0, 0, 123)],
    ["2025-06-21 10:00:00+02:00", Date.UTC(2025, 5, 21, 8)],
    ["2025-06-21T10:00:00-0545", Date.UTC(2025, 5, 21, 15, 45)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["0050-01-01", new Date("0050-01-01T00:00:00Z").getTime()],
    ["1750500000000", 1_750_500_000_000],
    [1_750_500_000_000, 1_750_500_000_000],
    ["0", 0],
    [-5, -5],
    [0, 0],
  ])("%s", (text, expected) => {
    expect(resolveTime(text, nowMs)).toBe(expected);
  });

  test.each<[string | number, string]>([
    ["yesterday", "is not a time"],
    ["", "is not a time"],
    ["2025", "is not a time"],
    ["-3", "is not a time"],
    ["+3h", "is not a time"],
    ["-3x", "is not a duration"],
    ["-3mon", "is not a duration"],
    ["3h-1mo", "is not a time"],
    ["-120001mo", "longer than calendars go"],
    ["+275760-01-01T00:00:00Z+10000y", "is not a time"],
    ["2025-06-21 +10000y +10000y +275000y", "longer than calendars go"],
    [`8639999999999999+1y`, "whole milliseconds"],
    ["now/", "is not a time"],
    ["/1d", "is not a time"],
    ["now/d", "is not a time"],
    ["now/1x", "is not a duration"],
    ["now/0m", "whole milliseconds"],
    ["now/0mo", "whole milliseconds"],
    ["2025-02-30", "does not exist"],
    ["2025-06-21T24:00Z", "does not exist"],
    ["2025-06-21T10:60Z", "does not exist"],
    ["2025-06-21T10:00:00+99:00", "does not exist"],
    ["2025-06-21T10:00:00", "has no time zone"],
    [1.5, "whole milliseconds"],
    [Number.NaN, "whole milliseconds"],
    [8.64e15 + 1000, "whole milliseconds"],
  ])("%s is refused: %s", (text, expected) => {
    expect(() => resolveTime(text, nowMs)).toThrow(expected);
    expect(() => resolveTime(text, nowMs)).toThrow(HadalError);
  });

  test("reads back every instant that a Date prints", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => resolveTime(date.toISOString(), 0) === date.getTime(),
      ),
    );
  });
});

describe("months, quarters and years", () => {
  const at = (text: string): number => Date.parse(text);
  test.each<[string, string, string, string]>([
    // The last day of a month that is shorter: 28 or 29 February.
    ["-1mo", "2025-03-31T12:34:56.789Z", "UTC", "2025-02-28T12:34:56.789Z"],
    ["-1mo", "2024-03-31T12:00:00Z", "UTC", "2024-02-29T12:00:00Z"],
    ["-1mo", "2025-03-28T12:00:00Z", "UTC", "2025-02-28T12:00:00Z"],
    ["now - 1mo", "2025-01-15T00:00:00Z", "UTC", "2024-12-15T00:00:00Z"],
    ["now+1mo", "2025-01-31T00:00:00Z", "UTC", "2025-02-28T00:00:00Z"],
    ["-1q", "2025-05-31T00:00:00Z", "UTC", "2025-02-28T00:00:00Z"],
    ["-1y", "2024-02-29T06:00:00Z", "UTC", "2023-02-28T06:00:00Z"],
    ["-13mo", "2025-01-10T00:00:00Z", "UTC", "2023-12-10T00:00:00Z"],
    ["-1mo+1ms", "2025-03-31T00:00:00Z", "UTC", "2025-02-28T00:00:00.001Z"],
    ["-1mo-1d", "2025-03-31T00:00:00Z", "UTC", "2025-02-27T00:00:00Z"],
    ["2025-03-31 -1mo", "1999-01-01T00:00:00Z", "UTC", "2025-02-28T00:00:00Z"],
    ["1743379200000-1mo", "1999-01-01T00:00:00Z", "UTC", "2025-02-28T00:00:00Z"],
    ["2025-06-21T10:00-0545 + 1h", "1999-01-01T00:00:00Z", "UTC", "2025-06-21T16:45:00Z"],
    // The same time of day by the zone's clock, whatever it did in between.
    ["-1mo", "2025-04-15T12:00:00+02:00", "Europe/Berlin", "2025-03-15T12:00:00+01:00"],
    // Still 31 March in New York, already April in UTC.
    ["-1mo", "2025-03-31T23:00:00-04:00", "America/New_York", "2025-02-28T23:00:00-05:00"],
    // 02:30 on 9 March 2025 is skipped: the clock goes from 02:00 to 03:00.
    ["-1mo", "2025-04-09T02:30:00-04:00", "America/New_York", "2025-03-09T03:00:00-04:00"],
    // 30 December 2011 is a day that Apia never had.
    ["-1mo", "2012-01-30T12:00:00+14:00", "Pacific/Apia", "2011-12-31T00:00:00+14:00"],
  ])("%s at %s in %s is %s", (text, now, timeZone, expected) => {
    expect(resolveTime(text, at(now), timeZone)).toBe(at(expected));
  });

  test("whether the calendar decides", () => {
    for (const text of ["-1mo", "now - 2q", "now+1y", "-1mo+1ms", "2025-03-31 -1mo"]) {
      expect(hasCalendarSteps(text), text).toBe(true);
    }
    for (const text of ["now", "-1m", "-3h-2d", "2025-03-31", 5]) {
      expect(hasCalendarSteps(text), String(text)).toBe(false);
    }
  });

  test("their range is in the zone's calendar too", () => {
    const now = at("2025-03-31T23:00:00-04:00");
    expect(resolveTimeRange("-1mo", "now", now, "America/New_York").fromMs).toBe(
      at("2025-02-28T23:00:00-05:00"),
    );
  });
});

describe("resolveTimeRange", () => {
  test("a bucket starts on the zone's clock", () => {
    // 23:30 in New York, the day before in UTC's eyes.
    const lateMs = Date.UTC(2025, 2, 10, 3, 30);
    expect(resolveTime("now/1d", lateMs, "America/New_York")).toBe(Date.UTC(2025, 2, 9, 5));
    expect(resolveTime("now/1h", nowMs + 60_000, "Asia/Kolkata")).toBe(nowMs - 30 * 60_000);
  });

  test("gives both ends", () => {
    expect(resolveTimeRange("-1h", "now", nowMs)).toEqual({
      fromMs: nowMs - 3_600_000,
      toMs: nowMs,
    });
  });
  test.each([
    ["now", "-1h"],
    ["now", "now"],
  ])("%s to %s is no range", (from, to) => {
    expect(() => resolveTimeRange(from, to, nowMs)).toThrow(
      expect.objectContaining({ code: "time-range-invalid" }),
    );
  });
});

describe("parseDuration", () => {
  test.each([
    ["7d", 7, "d", 604_800_000],
    ["90s", 90, "s", 90_000],
    ["500ms", 500, "ms", 500],
    ["2m", 2, "m", 120_000],
    ["1w", 1, "w", 604_800_000],
    ["4h", 4, "h", 14_400_000],
  ])("%s", (text, count, unit, ms) => {
    expect(parseDuration(text)).toEqual({ count, unit });
    expect(durationMs(parseDuration(text))).toBe(ms);
  });
  test.each(["", "7", "d", "-7d", "1.5h", "7 d", "7D", "99999999999999999d", "999999999999999w"])(
    "%s is refused",
    (text) => {
      expect(() => parseDuration(text)).toThrow(
        expect.objectContaining({ code: "time-range-invalid" }),
      );
    },
  );
});

test.each<[string | number, boolean]>([
  ["now", true],
  ["-3h", true],
  ["now-3h", true],
  ["2025-06-21", false],
  [-5, false],
])("whether %s moves with the clock", (text, expected) => {
  expect(isRelativeTime(text)).toBe(expected);
});
