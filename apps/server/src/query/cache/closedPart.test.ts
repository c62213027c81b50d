import fc from "fast-check";
import { expect, test } from "vitest";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import { divideQuery, inWholeQuery } from "./closedPart.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const query = (side: Partial<ResolvedSide>, more: Partial<ResolvedQuery> = {}): ResolvedQuery => ({
  ...{ table: "t", groupBy: [], states: [], sample: null },
  cut: { max: 100, bySeries: false, ranks: [] },
  sides: [
    { fromMs: 0, toMs: 3 * hourMs, filter: { kind: "all", filters: [] }, buckets: null, ...side },
  ],
  ...more,
});

const rangesOf = ({ sides }: ResolvedQuery) => sides.map(({ fromMs, toMs }) => [fromMs, toMs]);

test("the closed part ends at the grid before the lateness of rows, and is the same for the next questions", () => {
  const ask = (nowMs: number, lateMs = 0) =>
    divideQuery(query({ fromMs: nowMs - 3 * hourMs, toMs: nowMs }), { nowMs, lateMs })!;
  const nowMs = 100 * hourMs + 12_345;
  const divided = ask(nowMs);
  const step = 5 * minuteMs;
  const [fromMs, toMs] = [97 * hourMs + step, 100 * hourMs];
  expect(rangesOf(divided.closed)).toEqual([[fromMs, toMs]]);
  expect(rangesOf(divided.open)).toEqual([
    [97 * hourMs + 12_345, fromMs],
    [toMs, nowMs],
  ]);
  const later = ask(nowMs + 60_000);
  expect([later.closed, later.shape]).toEqual([divided.closed, divided.shape]);
  expect(rangesOf(ask(nowMs, 20_000).closed)).toEqual([[fromMs, toMs - step]]);
});

test("parts are disjoint and cover the range, with the buckets of the whole", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 * hourMs }),
      fc.integer({ min: minuteMs, max: 30 * 24 * hourMs }),
      fc.integer({ min: 0, max: hourMs }),
      fc.constantFrom(minuteMs, 7 * minuteMs, hourMs),
      (fromMs, lengthMs, lateMs, stepMs) => {
        const toMs = fromMs + lengthMs;
        const startMs = Math.floor(fromMs / stepMs) * stepMs;
        const count = Math.ceil((toMs - startMs) / stepMs);
        const buckets = { kind: "even", startMs, stepMs, count } as const;
        const asked = query({ fromMs, toMs, buckets });
        const divided = divideQuery(asked, { nowMs: toMs, lateMs });
        if (divided === null) return;
        const parts = [...rangesOf(divided.closed), ...rangesOf(divided.open)];
        parts.sort(([a], [b]) => a! - b!);
        expect(parts[0]![0]).toBe(fromMs);
        expect(parts.at(-1)![1]).toBe(toMs);
        for (let i = 1; i < parts.length; i++) expect(parts[i]![0]).toBe(parts[i - 1]![1]);
        const [closed] = divided.closed.sides;
        const own = edgesOfBuckets(closed!.buckets!);
        const all = edgesOfBuckets(buckets);
        expect(own[0]! <= closed!.fromMs && own.at(-1)! >= closed!.toMs).toBe(true);
        expect(own).toEqual(all.slice(divided.firstBucket, divided.firstBucket + own.length));
      },
    ),
  );
});

test("groups of the closed part have the numbers of their buckets in the whole", () => {
  const fromMs = 12_345;
  const buckets = { kind: "even", startMs: 0, stepMs: minuteMs, count: 180 } as const;
  const asked = query({ fromMs, buckets });
  const divided = divideQuery(asked, { nowMs: 3 * hourMs, lateMs: 0 })!;
  expect(divided.firstBucket).toBe(5);
  const side = {
    ...{ groupCount: 2, states: [], groupsCut: 0 },
    keys: [{ kind: "bucket", indexes: Int32Array.of(0, 3) }] as const,
  };
  expect(inWholeQuery(side, divided).keys).toEqual([
    { kind: "bucket", indexes: Int32Array.of(5, 8) },
  ]);
});

test.each<[string, ResolvedQuery]>([
  ["a comparison", query({}, { sides: [...query({}).sides, ...query({}).sides] })],
  ["raw rows", query({}, { sample: { columns: [], limit: 1, newestFirst: true } })],
  ["a minute", query({ toMs: minuteMs })],
  ["further time buckets", query({ furtherBuckets: [] })],
])("%s are not divided", (_, asked) => {
  const { toMs } = asked.sides[0]!;
  expect(divideQuery(asked, { nowMs: toMs, lateMs: 0 })).toBeNull();
});
