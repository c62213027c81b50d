import type { Query } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { resolveQuery } from "../../src/aggregate/function/resolveQuery.js";
import { edgesOfBuckets } from "../../src/plan/bucket/timeBuckets.js";
import { createTableSchema } from "../../src/plan/schema/tableSchema.js";
import { incompleteBuckets } from "../../src/query/answer/incompleteBuckets.js";
import { localOf } from "./query/zoneTime.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const table = createTableSchema("t", []);
/** All ranges are over by then. */
const asOf = Date.parse("2030-01-01T00:00:00Z");

/** Around an hour of 30 minutes, a day that was skipped, and clocks that change at midnight. */
const changes: readonly (readonly [zone: string, at: string])[] = [
  ["America/New_York", "2026-03-08T07:00:00Z"],
  ["America/New_York", "2026-11-01T06:00:00Z"],
  ["Europe/London", "2026-03-29T01:00:00Z"],
  ["Europe/London", "2026-10-25T01:00:00Z"],
  ["Australia/Lord_Howe", "2026-04-04T15:00:00Z"],
  ["Australia/Lord_Howe", "2026-10-03T15:30:00Z"],
  ["Asia/Kathmandu", "1985-12-31T18:30:00Z"],
  ["Pacific/Apia", "2011-12-30T10:00:00Z"],
  ["America/Sao_Paulo", "2018-11-04T03:00:00Z"],
  ["America/Sao_Paulo", "2019-02-17T02:00:00Z"],
  ["UTC", "2026-03-01T00:00:00Z"],
  ["UTC", "2024-03-01T00:00:00Z"],
];
const widths = ["1m", "15m", "30m", "1h", "2h", "6h", "1d", "1w", "1mo"] as const;
const offsets = ["1h", "30m", "1d", "7d", "1w", "4w", "1mo", "2mo", "1q", "1y"] as const;

function sidesOf(query: Query) {
  const { resolved } = resolveQuery(query, table, asOf);
  const [main, base] = resolved.sides;
  const edges = edgesOfBuckets(main!.buckets!);
  const rows = edges.slice(0, -1).map((edge) => [edge]);
  const incomplete = new Set(incompleteBuckets(resolved, { rows }, asOf));
  return { main: main!, base: base!, edges, baseEdges: edgesOfBuckets(base!.buckets!), incomplete };
}

const comparedQueries = fc
  .record({
    change: fc.constantFrom(...changes),
    width: fc.constantFrom(...widths),
    offset: fc.constantFrom(...offsets),
    /** In steps, so that ranges often begin with a bucket. */
    beginAt: fc.integer({ min: -60, max: 60 }),
    step: fc.constantFrom(minute, 30 * minute, hour, day),
    length: fc.integer({ min: 1, max: 48 }),
    isOfBase: fc.boolean(),
  })
  .map(({ change: [timeZone, at], width, offset, beginAt, step, length, isOfBase }): Query => {
    // The clocks change in the range itself, or about where it is compared with.
    const backMs = { "1h": hour, "30m": hour / 2, "1d": day, "7d": 7 * day, "1w": 7 * day };
    const shiftMs = isOfBase ? ((backMs as Record<string, number>)[offset] ?? 31 * day) : 0;
    const from = Date.parse(at) + shiftMs + beginAt * step;
    const to = from + length * step;
    const groupBy = [{ time: width }];
    return { table: "t", from, to, timeZone, groupBy, compare: { offset } };
  });

test("each bucket is compared with at most one of its length, or is marked; no row is counted twice or left out", () => {
  let [unmarked, marked] = [0, 0];
  fc.assert(
    fc.property(comparedQueries, (query) => {
      const { main, base, edges, baseEdges, incomplete } = sidesOf(query);
      const zone = query.timeZone ?? "UTC";
      expect(baseEdges).toHaveLength(edges.length);
      // Side by side from the beginning of the base to its end: each of its rows is in one bucket.
      expect(baseEdges[0]).toBeLessThanOrEqual(base.fromMs);
      expect(baseEdges.at(-1)).toBeGreaterThanOrEqual(base.toMs);
      for (let i = 0; i < edges.length - 1; i++) {
        const [start, end] = [edges[i]!, edges[i + 1]!];
        const [baseStart, baseEnd] = [baseEdges[i]!, baseEdges[i + 1]!];
        if (baseEnd < baseStart) expect.fail(`bucket ${start} ends before it begins`);
        const isWhole = start >= main.fromMs && end <= main.toMs;
        const isBaseWhole = baseStart >= base.fromMs && baseEnd <= base.toMs;
        const isSame = baseEnd - baseStart === end - start;
        const isMarked = incomplete.has(start);
        if (isMarked === (isWhole && isBaseWhole && isSame)) {
          expect.fail(`bucket ${new Date(start).toISOString()} is ${isMarked ? "" : "not "}marked`);
        }
        if (isMarked) marked += 1;
        else unmarked += 1;
        if (!isMarked && (i < 50 || i % 50 === 0)) expectSameClock(query, start, baseStart, zone);
      }
    }),
    { numRuns: 150 },
  );
  expect(unmarked).toBeGreaterThan(120);
  expect(marked).toBeGreaterThan(120);
});

/** Days and longer go by the calendar: what is compared began when the clock showed the same. */
function expectSameClock({ compare }: Query, start: number, baseStart: number, zone: string): void {
  const offset = compare?.offset ?? "";
  const [local, baseLocal] = [localOf(start, zone), localOf(baseStart, zone)];
  if (/[hm]$/.test(offset)) {
    expect(start - baseStart).toBe(offset === "1h" ? hour : hour / 2);
    return;
  }
  expect(baseLocal % day).toBe(local % day);
  if (/[dw]$/.test(offset)) {
    const days = Number(offset.slice(0, -1)) * (offset.endsWith("w") ? 7 : 1);
    expect(local - baseLocal).toBe(days * day);
    return;
  }
  expect(new Date(baseLocal).getUTCDate()).toBe(new Date(local).getUTCDate());
}

describe("which buckets are marked", () => {
  const markedOf = (query: Omit<Query, "table">): string[] => {
    const { incomplete } = sidesOf({ table: "t", ...query });
    return [...incomplete].map((start) => new Date(start).toISOString());
  };

  test("28 February has all that is left of January; the other days have one each", () => {
    const february = { from: "2026-02-01", to: "2026-03-01", compare: { offset: "1mo" } } as const;
    expect(markedOf({ ...february, groupBy: [{ time: "1d" }] })).toEqual([
      "2026-02-28T00:00:00.000Z",
    ]);
    // 28 days against 31.
    expect(markedOf({ ...february, groupBy: [{ time: "1mo" }] })).toEqual([
      "2026-02-01T00:00:00.000Z",
    ]);
  });

  test("29 to 31 March have no day in February", () => {
    const march = { from: "2026-03-01", to: "2026-04-01", compare: { offset: "1mo" } } as const;
    expect(markedOf({ ...march, groupBy: [{ time: "1d" }] })).toEqual([
      "2026-03-29T00:00:00.000Z",
      "2026-03-30T00:00:00.000Z",
      "2026-03-31T00:00:00.000Z",
    ]);
  });

  test("weeks are compared with the seven days that begin on the same day a month before", () => {
    const weeks = { from: "2026-03-02", to: "2026-05-11", compare: { offset: "1mo" } } as const;
    expect(markedOf({ ...weeks, groupBy: [{ time: "1w" }] })).toEqual([
      // 23 to 28 February and no more; 1 to 5 March; 27 March to 3 April.
      "2026-03-23T00:00:00.000Z",
      "2026-03-30T00:00:00.000Z",
      "2026-04-27T00:00:00.000Z",
    ]);
  });

  test("a week across the spring change: the hour that was skipped, and the one that is compared with two", () => {
    const change = {
      from: "2026-03-08T00:00:00-05:00",
      to: "2026-03-09T00:00:00-04:00",
      timeZone: "America/New_York",
      groupBy: [{ time: "1h" }],
      compare: { offset: "7d" },
    } as const;
    expect(markedOf(change)).toEqual(["2026-03-08T06:00:00.000Z"]);
    const weekAfter = {
      ...change,
      from: "2026-03-15T00:00:00-04:00",
      to: "2026-03-16T00:00:00-04:00",
    };
    expect(markedOf(weekAfter)).toEqual(["2026-03-15T06:00:00.000Z"]);
  });

  test("a day of 23 hours is not compared with one of 24", () => {
    expect(
      markedOf({
        from: "2026-03-07T00:00:00-05:00",
        to: "2026-03-10T00:00:00-04:00",
        timeZone: "America/New_York",
        groupBy: [{ time: "1d" }],
        compare: { offset: "7d" },
      }),
    ).toEqual(["2026-03-08T05:00:00.000Z"]);
  });

  test("of further time buckets what each row's have in common counts", () => {
    const { resolved } = resolveQuery(
      {
        ...{ table: "t", from: "2026-01-01", to: "2026-04-01", compare: { offset: "1mo" } },
        groupBy: [{ time: "1q" }, { time: "1d", as: "day" }],
      },
      table,
      asOf,
    );
    const quarter = Date.parse("2026-01-01");
    const rowOf = (text: string) => [quarter, Date.parse(text)];
    // The quarters have 90 days each; 27 February has one day in January, the 28th four.
    expect(incompleteBuckets(resolved, { rows: [rowOf("2026-02-27")] }, asOf)).toEqual([]);
    const rows = [rowOf("2026-02-27"), rowOf("2026-02-28")];
    expect(incompleteBuckets(resolved, { rows }, asOf)).toEqual([quarter]);
  });
});
