import fc from "fast-check";
import { expect, test } from "vitest";
import { MinuteRows } from "./minuteRows.js";

const minute = fc.integer({ min: -400, max: 400 });

test("counts any range as a list of all would, before 1970 too", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(minute, fc.integer({ min: 1, max: 9 })), { maxLength: 80 }),
      fc.array(fc.tuple(minute, minute), { minLength: 1, maxLength: 8 }),
      (added, ranges) => {
        const rows = new MinuteRows();
        for (const [at, count] of added) rows.add(at, count);
        for (const [first, end] of ranges) {
          const listed = added.filter(([at]) => at >= first && at < end);
          expect(rows.count(first, end)).toBe(listed.reduce((sum, [, count]) => sum + count, 0));
        }
      },
    ),
  );
});

test("a range of all times, one without minutes, and none", () => {
  const rows = new MinuteRows();
  rows.add(29_166_666, 5);
  expect(rows.count(-1e11, 1e11)).toBe(5);
  expect(rows.count(29_166_667, 29_200_000)).toBe(0);
  expect(rows.count(10, 10)).toBe(0);
  expect(rows.count(20, 10)).toBe(0);
});

test("subtracted rows are forgotten", () => {
  const rows = new MinuteRows();
  rows.add(61, 5);
  rows.add(62, 1);
  rows.add(61, -5);
  expect([...rows.minutes]).toEqual([[62, 1]]);
  expect(rows.count(0, 120)).toBe(1);
});
