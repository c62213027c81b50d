import { HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { checkZone, instantOf } from "./localTime.js";
import { RowRejected } from "./rowRejected.js";
import { readRowTime } from "./rowTime.js";
import { createTimeRule } from "./timeRule.js";

const nowMs = Date.UTC(2026, 10, 27, 12);
const readIn = (zone: string, text: string): string =>
  new Date(
    readRowTime(text, "time", createTimeRule(nowMs, { unit: "auto", zone, futureMaxMs: 0 })),
  ).toISOString();

describe("a time without a zone", () => {
  it.each([
    ["Europe/Berlin", "2026-07-01 12:00:00", "2026-07-01T10:00:00.000Z"],
    ["Europe/Berlin", "2026-01-01T12:00", "2026-01-01T11:00:00.000Z"],
    ["Europe/Berlin", "2026-01-01", "2025-12-31T23:00:00.000Z"],
    ["America/New_York", "2001/01/10 18:20", "2001-01-10T23:20:00.000Z"],
    ["Asia/Kolkata", "2026-01-01 00:00:00,5", "2025-12-31T18:30:00.500Z"],
    ["UTC", "0099-03-01", "0099-03-01T00:00:00.000Z"],
    // Its own zone is what a text is read in.
    ["Europe/Berlin", "2026-07-01T12:00:00Z", "2026-07-01T12:00:00.000Z"],
    ["Europe/Berlin", "2026/07/01 12:00:00+09:00", "2026-07-01T03:00:00.000Z"],
    // Twice on that day: the earlier one.
    ["Europe/Berlin", "2026-10-25 02:30:00", "2026-10-25T00:30:00.000Z"],
    ["Europe/Berlin", "2026-10-25 03:00:00", "2026-10-25T02:00:00.000Z"],
    // The leap second of 2016 in a zone of its own.
    ["America/Los_Angeles", "2016-12-31 15:59:60", "2017-01-01T00:00:00.000Z"],
  ])("in %s: %s", (zone, text, instant) => expect(readIn(zone, text)).toBe(instant));

  it.each([
    ["2026-03-29 02:30:00", "Europe/Berlin did not have"],
    ["2026-02-29", "not in the calendar"],
    ["2026-01/02", "write integer milliseconds"],
    ["02/01/2026", "write integer milliseconds"],
    ["9999-12-31 23:59", "more than ten years ahead"],
  ])("%s is refused: %s", (text, reason) => {
    expect(() => readIn("Europe/Berlin", text)).toThrow(RowRejected);
    expect(() => readIn("Europe/Berlin", text)).toThrow(reason);
  });

  it("needs the name of a zone", () => {
    const rule = createTimeRule(nowMs, { unit: null, futureMaxMs: 0 });
    expect(() => readRowTime("2026-07-01 12:00:00", "time", rule)).toThrow("timeZone=");
    expect(() => checkZone("Europe/Atlantis")).toThrow(HadalError);
    expect(checkZone("Europe/Berlin")).toBe("Europe/Berlin");
  });
});

test("is the instant whose clock shows it, in any order of zones and times", () => {
  const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Asia/Tehran", "UTC"];
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2030, 0) }),
      (zone, rawMs) => {
        const timeMs = Math.floor(rawMs / 1_000) * 1_000;
        const parts = new Intl.DateTimeFormat("sv-SE", {
          ...{ timeZone: zone, dateStyle: "short", timeStyle: "medium" },
        }).format(timeMs);
        const found = instantOf(zone, Date.parse(`${parts.replace(" ", "T")}Z`));
        expect(found).not.toBeNull();
        // Where a clock shows it twice, the earlier one is found.
        if (found?.repeats)
          expect([timeMs, timeMs - 3_600_000, timeMs - 1_800_000]).toContain(found.timeMs);
        else expect(found?.timeMs).toBe(timeMs);
      },
    ),
    { numRuns: 2_000, seed: 7 },
  );
});
