import { expect, test } from "vitest";
import type { BuiltQuery } from "./buildQuery.js";
import { withWholeBuckets } from "./wholeBuckets.js";

const nowMs = Date.UTC(2026, 10, 21, 12, 3, 7);
const builtOf = (from: string, bucketMs: number | null): BuiltQuery => {
  const query = { table: "t", from, to: "now" };
  return {
    query,
    numbers: [],
    extras: { totals: query, before: { ...query, from: "-1w" } },
    range: { fromMs: 0, toMs: nowMs },
    bucketMs,
    options: {},
    without: null,
  };
};

test("a range that moves with the clock begins with a bucket, and so does what is asked beside", () => {
  const { query, extras, range } = withWholeBuckets(builtOf("-3h", 60_000), "UTC", nowMs);
  expect([query.from, extras.totals?.from, extras.before?.from]).toEqual([
    "-3h/60000ms",
    "-3h/60000ms",
    "-1w",
  ]);
  expect(range).toEqual({ fromMs: Date.UTC(2026, 10, 21, 9, 3), toMs: nowMs });
});

test.each([
  ["2026-11-21T09:00:07Z", 60_000],
  ["-3h/1h", 60_000],
  ["-3h", null],
])("%s with buckets of %s ms stays as it is", (from, bucketMs) => {
  const built = builtOf(from, bucketMs);
  expect(withWholeBuckets(built, "UTC", nowMs)).toBe(built);
});

test("a range that may not be longer stays as it is", () => {
  const built = builtOf("-3h", 60_000);
  const snappedMs = 3 * 3_600_000 + 7_000;
  expect(withWholeBuckets(built, "UTC", nowMs, snappedMs - 1)).toBe(built);
  expect(withWholeBuckets(built, "UTC", nowMs, snappedMs)).not.toBe(built);
});
