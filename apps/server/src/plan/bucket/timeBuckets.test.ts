import { durationMs, findTimeZone, instantOfLocal, parseDuration, resolveTime } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shiftRange } from "./compareRange.js";
import { edgesOfBuckets, resolveTimeBuckets } from "./timeBuckets.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/Sao_Paulo",
  "Africa/Casablanca",
];

const at = (text: string): number => Date.parse(text);

function edges(zone: string, from: string, to: string, stepMs: number): string[] {
  const buckets = resolveTimeBuckets(at(from), at(to), stepMs, findTimeZone(zone));
  return edgesOfBuckets(buckets).map((edge) => new Date(edge).toISOString().slice(0, 16));
}

test("a range from the start of its first bucket cuts none", () => {
  const steps = ["1s", "5m", "30m", "1h", "3h", "12h", "1d", "3d", "1w"];
  const times = fc.integer({ min: at("2024-01-01T00:00Z"), max: at("2026-01-01T00:00Z") });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.constantFrom(...steps),
      times,
      (name, step, fromMs) => {
        const zone = findTimeZone(name);
        const stepMs = durationMs(parseDuration(step));
        const startMs = resolveTime(`${fromMs}/${step}`, 0, name);
        const [edge] = edgesOfBuckets(resolveTimeBuckets(fromMs, fromMs + 1, stepMs, zone));
        expect(new Date(startMs).toISOString()).toBe(new Date(edge!).toISOString());
      },
    ),
  );
});

describe("time zones", () => {
  test.each([
    ["Europe/Berlin", "2024-01-01T00:00Z", 1],
    ["Europe/Berlin", "2024-03-31T00:59Z", 1],
    ["Europe/Berlin", "2024-03-31T01:00Z", 2],
    ["Asia/Kathmandu", "2024-01-01T00:00Z", 5.75],
    ["America/New_York", "2600-07-01T00:00Z", -5],
    ["UTC", "0001-01-01T00:00Z", 0],
  ])("%s at %s is %d hours ahead", (zone, time, hours) => {
    expect(findTimeZone(zone).offsetMs(at(time))).toBe(hours * hour);
  });

  test("spans change where the clock does", () => {
    const spans = findTimeZone("Europe/Berlin").spans(
      at("2024-01-01T00:00Z"),
      at("2025-01-01T00:00Z"),
    );
    expect(spans.map(({ fromMs }) => new Date(fromMs).toISOString())).toEqual([
      "2024-01-01T00:00:00.000Z",
      "2024-03-31T01:00:00.000Z",
      "2024-10-27T01:00:00.000Z",
    ]);
    expect(spans.at(-1)?.toMs).toBe(at("2025-01-01T00:00Z"));
  });

  test("a day that was skipped, and a month of Ramadan", () => {
    const apia = findTimeZone("Pacific/Apia").spans(
      at("2011-12-01T00:00Z"),
      at("2012-01-31T00:00Z"),
    );
    expect(apia.map(({ offsetMs }) => offsetMs / hour)).toEqual([-10, 14]);
    const casablanca = findTimeZone("Africa/Casablanca");
    const spans = casablanca.spans(at("2024-01-01T00:00Z"), at("2024-12-31T00:00Z"));
    expect(spans.map(({ offsetMs }) => offsetMs / hour)).toEqual([1, 0, 1]);
  });

  test("local times: twice gives the first, skipped gives the change", () => {
    const berlin = findTimeZone("Europe/Berlin");
    expect(instantOfLocal(berlin, at("2024-10-27T02:30Z"))).toBe(at("2024-10-27T00:30Z"));
    expect(instantOfLocal(berlin, at("2024-03-31T02:30Z"))).toBe(at("2024-03-31T01:00Z"));
    expect(instantOfLocal(berlin, at("2024-06-01T12:00Z"))).toBe(at("2024-06-01T10:00Z"));
  });

  test("every instant has its local time, and most come back from it", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at("1950-01-01T00:00Z"), max: at("2060-01-01T00:00Z") }),
        (name, instant) => {
          const zone = findTimeZone(name);
          const [span] = zone.spans(instant, instant + 1);
          expect(span?.offsetMs).toBe(zone.offsetMs(instant));
          const back = instantOfLocal(zone, instant + zone.offsetMs(instant));
          expect(back).toBeLessThanOrEqual(instant);
          expect(instant - back).toBeLessThanOrEqual(2 * hour);
        },
      ),
    );
  });
});

describe("buckets", () => {
  test("of a day are 23, 24 or 25 hours long", () => {
    expect(edges("Europe/Berlin", "2024-03-30T12:00Z", "2024-04-01T12:00Z", day)).toEqual([
      "2024-03-29T23:00",
      "2024-03-30T23:00",
      "2024-03-31T22:00",
      "2024-04-01T22:00",
    ]);
    expect(edges("Europe/Berlin", "2024-10-27T12:00Z", "2024-10-27T13:00Z", day)).toEqual([
      "2024-10-26T22:00",
      "2024-10-27T23:00",
    ]);
  });

  test("of an hour go on evenly through a change by hours", () => {
    const buckets = resolveTimeBuckets(
      at("2024-10-26T20:15Z"),
      at("2024-10-27T04:00Z"),
      hour,
      findTimeZone("Europe/Berlin"),
    );
    expect(buckets).toEqual({
      kind: "even",
      startMs: at("2024-10-26T20:00Z"),
      stepMs: hour,
      count: 8,
    });
  });

  test("of six hours start at local midnight on both sides of a change", () => {
    expect(edges("Europe/Berlin", "2024-10-26T22:00Z", "2024-10-27T11:00Z", 6 * hour)).toEqual([
      "2024-10-26T22:00",
      "2024-10-27T05:00",
      "2024-10-27T11:00",
    ]);
  });

  test("of an hour stretch by the half hour that Lord Howe turns back", () => {
    expect(edges("Australia/Lord_Howe", "2024-04-06T13:00Z", "2024-04-06T17:00Z", hour)).toEqual([
      "2024-04-06T13:00",
      "2024-04-06T14:00",
      "2024-04-06T15:30",
      "2024-04-06T16:30",
      "2024-04-06T17:30",
    ]);
  });

  test("follow zones that are not whole hours ahead", () => {
    expect(edges("Asia/Kathmandu", "2024-01-01T00:00Z", "2024-01-01T01:00Z", hour)).toEqual([
      "2023-12-31T23:15",
      "2024-01-01T00:15",
      "2024-01-01T01:15",
    ]);
  });

  test("of a week start on Monday, of a day where midnight is skipped at one o'clock", () => {
    expect(edges("UTC", "2024-01-03T00:00Z", "2024-01-10T00:00Z", week)).toEqual([
      "2024-01-01T00:00",
      "2024-01-08T00:00",
      "2024-01-15T00:00",
    ]);
    expect(edges("America/Sao_Paulo", "2018-11-04T12:00Z", "2018-11-04T13:00Z", day)).toEqual([
      "2018-11-04T03:00",
      "2018-11-05T02:00",
    ]);
  });

  test("cover the range, ascend, and start on the local grid, in any zone", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at("1975-01-01T00:00Z"), max: at("2030-01-01T00:00Z") }),
        fc.constantFrom(1, 15 * minute, hour, 2 * hour, 6 * hour, day, 3 * day, week),
        fc.integer({ min: 1, max: 300 }),
        (name, fromMs, stepMs, length) => {
          const zone = findTimeZone(name);
          const toMs = fromMs + length * stepMs;
          const found = edgesOfBuckets(resolveTimeBuckets(fromMs, toMs, stepMs, zone));
          expect(found[0]).toBeLessThanOrEqual(fromMs);
          expect(found[1]).toBeGreaterThan(fromMs);
          expect(found.at(-1)).toBeGreaterThanOrEqual(toMs);
          expect(found.at(-2)).toBeLessThan(toMs);
          const changes = zone.spans(found[0]! - 1, toMs + stepMs).slice(1);
          found.forEach((edge, i) => {
            if (i > 0) expect(edge).toBeGreaterThan(found[i - 1]!);
            const local = edge + zone.offsetMs(edge) - (stepMs % week === 0 ? 4 * day : 0);
            // Where the clock jumps over the start of a bucket it starts with the jump.
            if (!changes.some((change) => change.fromMs === edge)) expect(local % stepMs).toBe(0);
          });
        },
      ),
    );
  });

  test("are at most 100,000", () => {
    const utc = findTimeZone("UTC");
    expect(() => resolveTimeBuckets(0, 100_001, 1, utc)).toThrow(/100001 time buckets/);
    expect(edgesOfBuckets(resolveTimeBuckets(0, 100_000, 1, utc))).toHaveLength(100_001);
  });

  test("a change of the clock a thousand years from here costs nothing", () => {
    const berlin = findTimeZone("Europe/Berlin");
    const far = resolveTimeBuckets(
      at("1000-01-01T00:00Z"),
      at("3000-01-01T00:00Z"),
      4 * week,
      berlin,
    );
    expect(edgesOfBuckets(far).length).toBeGreaterThan(26_000);
  });
});

describe("the base side of a comparison", () => {
  const berlin = findTimeZone("Europe/Berlin");
  const shift = (from: string, to: string, stepMs: number, offset: string) => {
    const buckets = resolveTimeBuckets(at(from), at(to), stepMs, berlin);
    return shiftRange({ fromMs: at(from), toMs: at(to), buckets }, parseDuration(offset), berlin);
  };

  test("days go by the calendar, hours by the clock", () => {
    const from = "2024-04-01T10:00Z";
    const to = "2024-04-01T12:00Z";
    expect(shift(from, to, hour, "1d")).toMatchObject({
      fromMs: at("2024-03-31T10:00Z"),
      toMs: at("2024-03-31T12:00Z"),
    });
    expect(shift(from, to, hour, "7d")).toMatchObject({
      fromMs: at("2024-03-25T11:00Z"),
      toMs: at("2024-03-25T13:00Z"),
      buckets: { kind: "even", startMs: at("2024-03-25T11:00Z"), stepMs: hour, count: 2 },
    });
    expect(shift(from, to, hour, "168h")).toMatchObject({ fromMs: at("2024-03-25T10:00Z") });
  });

  test("buckets match by index: an hour that the base side skips is empty there", () => {
    const { buckets } = shift("2024-04-07T00:00Z", "2024-04-07T03:00Z", hour, "1w");
    expect(buckets).toEqual({
      kind: "edges",
      edgesMs: [
        // 02:00, which was skipped, 03:00, 04:00, 05:00.
        at("2024-03-31T01:00Z"),
        at("2024-03-31T01:00Z"),
        at("2024-03-31T02:00Z"),
        at("2024-03-31T03:00Z"),
      ],
    });
  });

  test("edges never descend, and there are as many as on the main side", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: at("2010-01-01T00:00Z"), max: at("2025-01-01T00:00Z") }),
        fc.constantFrom(10 * minute, 30 * minute, hour, 6 * hour, day),
        fc.constantFrom("1d", "1w", "4w", "36h"),
        (name, fromMs, stepMs, offset) => {
          const zone = findTimeZone(name);
          const toMs = fromMs + 100 * stepMs;
          const buckets = resolveTimeBuckets(fromMs, toMs, stepMs, zone);
          const base = shiftRange({ fromMs, toMs, buckets }, parseDuration(offset), zone);
          const found = edgesOfBuckets(base.buckets!);
          expect(found).toHaveLength(edgesOfBuckets(buckets).length);
          found.forEach((edge, i) => {
            if (i > 0) expect(edge).toBeGreaterThanOrEqual(found[i - 1]!);
          });
          expect(found[0]).toBeLessThanOrEqual(base.fromMs);
          expect(found.at(-1)).toBeGreaterThanOrEqual(base.toMs);
        },
      ),
    );
  });

  test("every instant of the range has its bucket, also where it begins or ends within a change of the clock", () => {
    const newYork = findTimeZone("America/New_York");
    // 02:00 and 01:00 local time, on 2024-11-03.
    const change = at("2024-11-03T06:00Z");
    fc.assert(
      fc.property(
        fc.integer({ min: -200, max: 200 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom(15 * minute, 30 * minute, hour, 90 * minute, 2 * hour, 7 * hour),
        fc.constantFrom("1d", "1w"),
        (start, length, stepMs, offset) => {
          const fromMs = change + start * minute;
          const toMs = fromMs + length * minute;
          const buckets = resolveTimeBuckets(fromMs, toMs, stepMs, newYork);
          const base = shiftRange({ fromMs, toMs, buckets }, parseDuration(offset), newYork);
          const edges = edgesOfBuckets(base.buckets!);
          expect(edges).toHaveLength(edgesOfBuckets(buckets).length);
          expect(edges).toEqual([...edges].sort((a, b) => a - b));
          fc.pre(base.fromMs < base.toMs);
          expect(edges[0]).toBeLessThanOrEqual(base.fromMs);
          expect(edges.at(-1)).toBeGreaterThanOrEqual(base.toMs);
        },
      ),
      { numRuns: 500 },
    );
  });
});
