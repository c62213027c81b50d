import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { ceilingOf } from "../../kit/cells/amountCells.js";
import { inputOf, resultOf, testTheme } from "../../testing/answers.js";
import { boxOfTimes, buildCalendar, calendarGrid, timesOfBox } from "./build.js";
import { calendarTip } from "./calendarTip.js";

const hour = 3_600_000;
const midnight = Date.UTC(2026, 10, 20);
const columns = ["time", "count"];
const cell = (column: number, row: number) => ({
  ...{ fromColumn: column, toColumn: column, fromRow: row, toRow: row },
});

function calendarOf(result = plain, more: Parameters<typeof inputOf>[1] = {}) {
  const input = inputOf(result, {
    ...{ fromMs: midnight + 22 * hour, toMs: midnight + 26 * hour, bucketMs: hour },
    ...more,
  });
  return { input, calendar: buildCalendar(input, countMeasure) };
}

const plain = resultOf(columns, [
  [midnight + 22 * hour, 5],
  [midnight + 25 * hour, 40],
]);
const tipOf = ({ input, calendar }: ReturnType<typeof calendarOf>, column: number, row: number) =>
  calendarTip({ calendar, input, measure: countMeasure, colorOf: () => "red" }, cell(column, row));

describe("calendar", () => {
  test("an hour is a cell of its day and its clock, an hour without rows is 0", () => {
    const { calendar } = calendarOf();
    expect(calendar.days).toEqual([
      { year: 2026, month: 11, day: 20 },
      { year: 2026, month: 11, day: 21 },
    ]);
    expect(calendar.amounts[22 * 2]).toBe(5);
    expect(calendar.amounts[23 * 2]).toBe(0);
    expect(calendar.amounts[1 * 2 + 1]).toBe(40);
    expect(ceilingOf(calendar)).toBe(40);
  });
  test("days and hours are those of the zone", () => {
    const { calendar } = calendarOf(plain, { timeZone: "Asia/Tokyo" });
    expect(calendar.days).toEqual([{ year: 2026, month: 11, day: 21 }]);
    expect(calendar.amounts[7]).toBe(5);
    expect(calendar.amounts[10]).toBe(40);
  });
  test("hours beyond the range have no number and look like what is not known", () => {
    const made = calendarOf();
    const look = { theme: testTheme, isLog: false, ceiling: 40, width: 800 };
    const grid = calendarGrid(made.calendar, look);
    expect(grid.cellLooks?.[0]).toBe("gap");
    expect(grid.cellLooks?.[22 * 2]).toBeNull();
    expect(tipOf(made, 0, 3)).toMatchObject({ title: "outside the range", rows: [] });
  });
  test("an hour that leaves are missing of is hatched and says who did not answer", () => {
    const made = calendarOf({
      ...plain,
      coverage: [[midnight + 25 * hour, 0.5, "missing-leaves"]],
      completeness: {
        ...plain.completeness,
        leaves: { answered: 1, total: 2, missing: ["leaf-2"] },
      },
    });
    const look = { theme: testTheme, isLog: false, ceiling: 40, width: 800 };
    expect(calendarGrid(made.calendar, look).cellLooks?.[1 * 2 + 1]).toBe("hatched");
    expect(tipOf(made, 1, 1).note).toBe("50 % of its rows: no answer from leaf-2");
  });
  test("the hour that occurs twice in a day has the rows of both", () => {
    const change = Date.UTC(2026, 9, 25);
    const result = resultOf(columns, [
      [change, 1],
      [change + hour, 2],
    ]);
    const { calendar } = calendarOf(result, {
      ...{ timeZone: "Europe/Berlin", fromMs: change, toMs: change + 2 * hour },
    });
    expect(calendar.days).toHaveLength(1);
    expect(calendar.amounts[2]).toBe(3);
  });
  test("with a comparison a cell says both sides and how they differ", () => {
    const made = calendarOf(
      resultOf([...columns, "count.compare"], [[midnight + 22 * hour, 30, 20]]),
    );
    expect(made.calendar.compare?.[22 * 2]).toBe(20);
    expect(tipOf(made, 0, 22).rows[0]?.cells).toEqual(["30", "side B 20", "+10", "+50 %"]);
  });
  test("a drag within a day is its hours, over days it is whole days", () => {
    const { calendar, input } = calendarOf();
    const all = { fromMs: midnight, toMs: midnight + 48 * hour };
    expect(boxOfTimes(cell(0, 3), cell(0, 5))).toMatchObject({ fromRow: 3, toRow: 5 });
    const days = boxOfTimes(cell(1, 3), cell(0, 5));
    expect(timesOfBox(calendar, days, all)).toEqual(all);
    expect(timesOfBox(calendar, days, input)).toEqual({
      fromMs: input.fromMs,
      toMs: input.toMs,
    });
  });
});
