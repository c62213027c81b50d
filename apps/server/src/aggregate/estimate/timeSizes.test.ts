import { describe, expect, test } from "vitest";
import { LeafMinutes, minuteMs, withoutNewest } from "./leafMinutes.js";
import { createTimeSizes } from "./timeSizes.js";

const minutesOf = (...counts: readonly number[]): LeafMinutes => {
  const minutes = counts.flatMap((count, minute) => (count > 0 ? [minute] : []));
  return new LeafMinutes({ minutes, counts: counts.filter((count) => count > 0) });
};

describe("sizes of a part of time", () => {
  const answered = [minutesOf(10, 20, 0, 40), minutesOf(1, 0, 3)];
  const missing = [minutesOf(0, 0, 7), minutesOf(0, 0, 0, 9)];
  const sizes = createTimeSizes(answered, missing, 4 * minuteMs);
  const cases: readonly (readonly [string, number, number, readonly number[], number])[] = [
    ["all", 0, 4, [70, 4], 16],
    ["one minute, nothing of it missing", 1, 2, [20, 0], 0],
    ["the minutes that cover a part of two", 1.9, 2.1, [20, 3], 7],
    ["a second of a minute", 3.5, 3.52, [40, 0], 9],
    ["before all", -5, 0, [0, 0], 0],
    ["none", 2, 2, [0, 0], 0],
    ["none within a minute", 2.5, 2.5, [0, 0], 0],
  ];
  test.each(cases)("%s", (_, from, to, rows, lacking) => {
    const [fromMs, toMs] = [from * minuteMs, to * minuteMs];
    expect(sizes.of(fromMs, toMs)).toMatchObject({ answered: rows, missing: lacking });
    expect(sizes.rowsOf(fromMs, toMs)).toEqual({ answered: rows, missing: lacking });
  });
});

describe("whether the missing rows are of the times that others tell of", () => {
  const even = Array.from({ length: 60 }, () => 100);
  const from = (minute: number, count: number) => even.map((_, i) => (i < minute ? 0 : count));
  /** Batches of 1,000, each on one leaf of three. */
  const batches = (leaf: number) => even.map((_, i) => ((i * 7) % 3 === leaf ? 1_000 : 0));
  const cases: readonly (readonly [string, readonly number[][], readonly number[], boolean])[] = [
    ["as even as the others", [even, even], even, true],
    ["few rows, spread", [even, even], even.map((_, i) => (i % 20 === 3 ? 1 : 0)), true],
    ["few rows, all at the end", [even, even], from(59, 5), false],
    ["a leaf that came later", [even, even, even], from(30, 300), false],
    ["later by little, and full", [even, even, even], from(3, 100), false],
    ["batches that go round", [batches(0), batches(1)], batches(2), true],
    ["others lie as far from one another", [from(30, 100), even], from(20, 100), true],
    ["no row is known", [even.map(() => 0)], even, false],
  ];
  test.each(cases)("%s", (_, answered, missing, isSame) => {
    const sizes = createTimeSizes(
      answered.map((counts) => minutesOf(...counts)),
      [minutesOf(...missing)],
      // These 60 minutes are a small part of the range.
      1_000 * minuteMs,
    );
    expect(sizes.of(0, 60 * minuteMs).haveSameTimes).toBe(isSame);
  });

  test("over a long part of the range they may not lie further apart than a tenth of it", () => {
    const leaves = [from(30, 100), even].map((counts) => minutesOf(...counts));
    const sameIn = (minutes: number): boolean =>
      createTimeSizes(leaves, [minutesOf(...from(20, 100))], minutes * minuteMs).of(
        0,
        60 * minuteMs,
      ).haveSameTimes;
    expect([sameIn(60), sameIn(600)]).toEqual([false, true]);
  });
});

test("rows that came since the question began are taken off the newest minutes", () => {
  const rows = { minutes: [5, 6, 9], counts: [10, 20, 30] };
  expect(withoutNewest(rows, 60)).toEqual(rows);
  expect(withoutNewest(rows, 58)).toEqual({ minutes: [5, 6, 9], counts: [10, 20, 28] });
  expect(withoutNewest(rows, 30)).toEqual({ minutes: [5, 6], counts: [10, 20] });
  expect(withoutNewest(rows, 0)).toEqual({ minutes: [], counts: [] });
});
