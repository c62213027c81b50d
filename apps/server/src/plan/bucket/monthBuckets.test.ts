import { findTimeZone, parseCalendarLength, type TimeZone } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localOf } from "../../../test/oracle/query/zoneTime.js";
import { shiftRange } from "./compareRange.js";
import { monthsBefore, resolveMonthBuckets } from "./monthBuckets.js";
import { edgesOfBuckets } from "./timeBuckets.js";

const hour = 3_600_000;
const day = 24 * hour;
const at = (text: string): number => Date.parse(text);

function edges(zone: string, from: string, to: string, months: number): string[] {
  const buckets = resolveMonthBuckets(at(from), at(to), months, findTimeZone(zone));
  return edgesOfBuckets(buckets).map((edge) => new Date(edge).toISOString().slice(0, 16));
}

describe("months", () => {
  test("start at the zone's midnight, in summer and in winter", () => {
    expect(edges("Europe/Berlin", "2024-02-10T00:00Z", "2024-05-01T00:00Z", 1)).toEqual([
      "2024-01-31T23:00",
      "2024-02-29T23:00",
      "2024-03-31T22:00",
      "2024-04-30T22:00",
      "2024-05-31T22:00",
    ]);
  });

  test("quarters and years are those of the calendar, before 1970 too", () => {
    expect(edges("UTC", "1968-05-20T00:00Z", "1968-11-01T00:00Z", 3)).toEqual([
      "1968-04-01T00:00",
      "1968-07-01T00:00",
      "1968-10-01T00:00",
      "1969-01-01T00:00",
    ]);
    expect(edges("Asia/Kathmandu", "2023-06-01T00:00Z", "2024-01-01T00:00Z", 12)).toEqual([
      "2022-12-31T18:15",
      "2023-12-31T18:15",
      "2024-12-31T18:15",
    ]);
  });

  test("where the clock goes back over the end of a month, it ends once", () => {
    // A zone made up: on 1 February at 00:30 the clock goes back to 23:30 of 31 January.
    const change = at("2024-02-01T00:30Z");
    const offsetMs = (atMs: number): number => (atMs < change ? 0 : -hour);
    const zone: TimeZone = {
      name: "test",
      offsetMs,
      spans: (fromMs, toMs) => [
        { fromMs, toMs: change, offsetMs: 0 },
        { fromMs: change, toMs, offsetMs: -hour },
      ],
    };
    const found = edgesOfBuckets(
      resolveMonthBuckets(change + 60_000, at("2024-02-10T00:00Z"), 1, zone),
    );
    expect(found).toEqual([at("2024-02-01T00:00Z"), at("2024-03-01T01:00Z")]);
  });

  test.each(["Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Pacific/Apia", "UTC"])(
    "%s: every instant is in the bucket of the month that its clock shows",
    (zoneName) => {
      const zone = findTimeZone(zoneName);
      const monthOf = (timeMs: number): number => {
        const local = new Date(localOf(timeMs, zoneName));
        return local.getUTCFullYear() * 12 + local.getUTCMonth() - 1970 * 12;
      };
      fc.assert(
        fc.property(
          fc.integer({ min: at("1971-01-01T00:00Z"), max: at("2037-01-01T00:00Z") }),
          fc.integer({ min: 1, max: 800 * day }),
          fc.constantFrom(1, 2, 3, 12),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 20, maxLength: 20 }),
          (fromMs, lengthMs, months, places) => {
            const toMs = fromMs + lengthMs;
            const found = edgesOfBuckets(resolveMonthBuckets(fromMs, toMs, months, zone));
            expect(found[0]).toBeLessThanOrEqual(fromMs);
            expect(found[1]).toBeGreaterThan(fromMs);
            expect(found.at(-1)).toBeGreaterThanOrEqual(toMs);
            expect(found.at(-2)).toBeLessThan(toMs);
            for (const place of places) {
              const timeMs = Math.floor(fromMs + place * (lengthMs - 1));
              const bucket = found.findLastIndex((edge) => edge <= timeMs);
              const wanted = Math.floor(monthOf(timeMs) / months) * months;
              // Its first instant shows the month it is named for.
              expect(Math.floor(monthOf(found[bucket]!) / months) * months).toBe(wanted);
            }
          },
        ),
        { seed: 3, numRuns: 60 },
      );
    },
  );

  test("too many of them, and the ends of the calendar", () => {
    const utc = findTimeZone("UTC");
    expect(() => resolveMonthBuckets(-8e15, 8e15, 1, utc)).toThrow("time buckets");
    const tokyo = findTimeZone("Asia/Tokyo");
    const last = edgesOfBuckets(resolveMonthBuckets(8.639e15, 8.64e15, 1, tokyo));
    expect(last.at(-1)).toBeGreaterThanOrEqual(8.64e15);
    const first = edgesOfBuckets(resolveMonthBuckets(-8.64e15, -8.639e15, 12, tokyo));
    expect(first[0]).toBeLessThanOrEqual(-8.64e15);
  });
});

describe("months back", () => {
  test.each([
    ["2024-03-29T10:00Z", 1, "2024-02-29T10:00Z"],
    ["2024-03-31T10:00Z", 1, "2024-03-01T00:00Z"],
    ["2023-03-28T10:00Z", 1, "2023-02-28T10:00Z"],
    ["2024-02-29T12:00Z", 12, "2023-03-01T00:00Z"],
    ["2024-05-15T23:59Z", 3, "2024-02-15T23:59Z"],
    ["1970-01-01T00:00Z", 1, "1969-12-01T00:00Z"],
  ])("%s, %d: %s", (from, months, to) => {
    expect(new Date(monthsBefore(at(from), months)).toISOString()).toBe(
      new Date(at(to)).toISOString(),
    );
  });

  test("a comparison with last month: its last day stands beside the same day, nothing beside those it lacks", () => {
    const zone = findTimeZone("Europe/Berlin");
    const edgesMs = ["28T23", "29T23", "30T23", "31T22"].map((time) => at(`2024-03-${time}:00Z`));
    const main = {
      fromMs: edgesMs[0]!,
      toMs: edgesMs[3]!,
      buckets: { kind: "edges", edgesMs },
    } as const;
    const base = shiftRange(main, parseCalendarLength("1mo"), zone);
    // 29, 30 and 31 March: 29 February, and twice nothing.
    expect(edgesOfBuckets(base.buckets!).map((ms) => new Date(ms).toISOString())).toEqual([
      "2024-02-28T23:00:00.000Z",
      "2024-02-29T23:00:00.000Z",
      "2024-02-29T23:00:00.000Z",
      "2024-02-29T23:00:00.000Z",
    ]);
  });
});
