import { describe, expect, test } from "vitest";
import { frozenRange, shiftRange, widenRange } from "./shiftTime.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const clock = { nowMs, timeZone: "UTC" };
const nineToTen = { from: "2026-11-21T09:00:00Z", to: "2026-11-21T10:00:00Z" };

describe("shifted times", () => {
  test.each([
    [{ from: "-3h", to: "now" }, -1, "2026-11-21T06:00:00.000Z", "2026-11-21T09:00:00.000Z"],
    [nineToTen, -1, "2026-11-21T08:00:00.000Z", "2026-11-21T09:00:00.000Z"],
    [nineToTen, 1, "2026-11-21T10:00:00.000Z", "2026-11-21T11:00:00.000Z"],
    // The last whole step before now, and what would pass it.
    [nineToTen, 2, "-1h", "now"],
    [{ from: "-3h", to: "now" }, 1, "-3h", "now"],
    [{ from: "-90s", to: "now" }, 1, "-90s", "now"],
    [{ from: "-2d", to: "now" }, 1, "-2d", "now"],
  ])("%o by %d", (range, steps, from, to) =>
    expect(shiftRange(range, steps, clock)).toEqual({ from, to }),
  );

  test.each([
    [{ from: "-3h", to: "now" }, "-6h", "now"],
    [nineToTen, "2026-11-21T08:30:00.000Z", "2026-11-21T10:30:00.000Z"],
    [{ from: "0", to: "1000000000" }, "1970-01-01T00:00:00.000Z", "1970-01-18T08:40:00.000Z"],
  ])("%o twice as long", (range, from, to) =>
    expect(widenRange(range, clock)).toEqual({ from, to }),
  );

  test("a month is as long as the calendar of the zone makes it", () => {
    const march = { nowMs: Date.parse("2026-03-31T23:00:00-04:00"), timeZone: "America/New_York" };
    expect(frozenRange({ from: "-1mo", to: "now" }, march)).toEqual({
      from: "2026-03-01T04:00:00.000Z",
      to: "2026-04-01T03:00:00.000Z",
    });
  });

  test("frozen: the same times whenever they are read", () =>
    expect(frozenRange({ from: "-3h", to: "now" }, clock)).toEqual({
      from: "2026-11-21T09:00:00.000Z",
      to: "2026-11-21T12:00:00.000Z",
    }));
});
