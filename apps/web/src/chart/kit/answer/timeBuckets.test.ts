import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bucketEnd, bucketStarts } from "./timeBuckets.js";

const hour = 3_600_000;
const day = 24 * hour;
const at = (text: string): number => Date.parse(text);

/** All starts of a range of which the first bucket alone has rows. */
function starts(timeZone: string, first: string, to: string, bucketMs: number): string[] {
  const fromMs = at(first) + 1;
  const found = bucketStarts([at(first)], { fromMs, toMs: at(to), bucketMs, timeZone });
  return found.map((startMs) => new Date(startMs).toISOString().slice(0, 16));
}

describe("buckets without rows are found as the server has them", () => {
  test("days begin at midnight, also where the clock changes", () => {
    expect(starts("Europe/Berlin", "2024-03-29T23:00Z", "2024-04-01T12:00Z", day)).toEqual([
      "2024-03-29T23:00",
      "2024-03-30T23:00",
      "2024-03-31T22:00",
    ]);
    expect(starts("Europe/Berlin", "2024-10-26T22:00Z", "2024-10-29T12:00Z", day)).toEqual([
      "2024-10-26T22:00",
      "2024-10-27T23:00",
      "2024-10-28T23:00",
    ]);
  });
  test("weeks begin on Monday, several days are counted from 1970", () => {
    expect(starts("UTC", "2024-01-01T00:00Z", "2024-01-20T00:00Z", 7 * day)).toEqual([
      "2024-01-01T00:00",
      "2024-01-08T00:00",
      "2024-01-15T00:00",
    ]);
    expect(starts("UTC", "1970-01-04T00:00Z", "1970-01-11T00:00Z", 3 * day)).toEqual([
      "1970-01-04T00:00",
      "1970-01-07T00:00",
      "1970-01-10T00:00",
    ]);
  });
  test("of six hours begin with the local day on both sides of a change, of one hour evenly", () => {
    expect(starts("Europe/Berlin", "2024-10-26T22:00Z", "2024-10-27T12:00Z", 6 * hour)).toEqual([
      "2024-10-26T22:00",
      "2024-10-27T05:00",
      "2024-10-27T11:00",
    ]);
    expect(starts("Europe/Berlin", "2024-10-26T23:00Z", "2024-10-27T03:00Z", hour)).toEqual([
      "2024-10-26T23:00",
      "2024-10-27T00:00",
      "2024-10-27T01:00",
      "2024-10-27T02:00",
    ]);
  });
  test("a midnight that is skipped is the moment of the change, a day that is skipped is none", () => {
    expect(starts("America/Sao_Paulo", "2018-11-03T03:00Z", "2018-11-06T00:00Z", day)).toEqual([
      "2018-11-03T03:00",
      "2018-11-04T03:00",
      "2018-11-05T02:00",
    ]);
    expect(starts("Pacific/Apia", "2011-12-29T10:00Z", "2012-01-01T00:00Z", day)).toEqual([
      "2011-12-29T10:00",
      "2011-12-30T10:00",
      "2011-12-31T10:00",
    ]);
  });
  test("times that are no such starts are left as they are", () => {
    const range = { fromMs: 0, toMs: 10 * day, bucketMs: day, timeZone: "UTC" };
    expect(bucketStarts([5, day], range)).toEqual([5, day]);
    expect(bucketStarts([3, 8], { ...range, bucketMs: null })).toEqual([3, 8]);
    expect(bucketStarts([], range)).toEqual([]);
  });
});

test("a bucket ends where the next begins", () => {
  const ends = (text: string, bucketMs: number, timeZone = "Europe/Berlin") =>
    (bucketEnd(at(text), { bucketMs, timeZone }) - at(text)) / hour;
  expect(ends("2024-03-30T23:00Z", day)).toBe(23);
  expect(ends("2024-10-26T22:00Z", day)).toBe(25);
  expect(ends("2024-06-01T22:00Z", day)).toBe(24);
  expect(ends("2024-10-26T22:00Z", 6 * hour)).toBe(7);
  expect(ends("2024-10-27T00:00Z", hour)).toBe(1);
  expect(ends("2011-12-29T10:00Z", day, "Pacific/Apia")).toBe(24);
});

test("of very many buckets those beside one with rows are made: a line through them is the line through all", () => {
  const numbers = fc.uniqueArray(fc.nat(60), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(numbers, fc.nat(30), fc.integer({ min: 1, max: 30 }), (found, before, after) => {
      const sorted = found.map((one) => one * hour).sort((a, b) => a - b);
      const fromMs = (sorted[0] ?? 0) - before * 1_000_000;
      const toMs = (sorted.at(-1) ?? 0) + after * 1_000_000;
      const range = { fromMs, toMs, bucketMs: hour, timeZone: "UTC" };
      const amountAt = (startMs: number): number => (sorted.includes(startMs) ? 1 : 0);
      const all = bucketStarts(sorted, range);
      const few = bucketStarts(sorted, range, 0);
      expect([few[0], few.at(-1)]).toEqual([all[0], all.at(-1)]);
      const lineAt = (startMs: number): number => {
        const next = few.findIndex((one) => one >= startMs);
        const [a, b] = [few[Math.max(0, next - 1)] ?? 0, few[next] ?? 0];
        const part = a === b ? 1 : (startMs - a) / (b - a);
        return amountAt(a) * (1 - part) + amountAt(b) * part;
      };
      for (const startMs of all) expect(lineAt(startMs)).toBe(amountAt(startMs));
    }),
  );
});
