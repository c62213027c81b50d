import { expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { inputOf, resultOf } from "../../testing/answers.js";
import { buildPivot } from "./buildPivot.js";

const result = resultOf(
  ["group service", "group country", "count", "count.compare"],
  [
    ["web", "DE", 5, 4],
    ["cart", "US", 3, 0],
    ["web", null, 2, 2],
  ],
  { intervals: { count: [[4, 6], null, null], "count.delta": [[-1, 3], null, null] } },
);
const totalsOf = (name: string, rows: readonly (readonly [string | null, number])[]) =>
  resultOf([`group ${name}`, "count"], rows);

test("cells cross; heads stand in the order of their own totals", () => {
  const pivot = buildPivot(inputOf(result), countMeasure, {
    rows: totalsOf("service", [
      ["cart", 30],
      ["web", 7],
    ]),
    columns: totalsOf("country", [
      [null, 20],
      ["DE", 9],
    ]),
    total: resultOf(["count"], [[37]]),
  });
  expect(pivot.rows.map(({ label, total }) => [label, total?.now])).toEqual([
    ["cart", 30],
    ["web", 7],
  ]);
  expect(pivot.columns.map(({ label }) => label)).toEqual(["(missing)", "DE"]);
  expect(pivot.total?.now).toBe(37);
  const cells = pivot.rows.map((row) => pivot.columns.map((column) => pivot.cellAt(row, column)));
  expect(cells).toMatchObject([
    [null, null],
    [{ now: 2 }, { now: 5, was: 4, interval: [4, 6], unsure: true }],
  ]);
});

test("until the totals arrive, cells name rows and columns", () => {
  const pivot = buildPivot(inputOf(result), countMeasure, {});
  expect(pivot.rows.map(({ label, total }) => [label, total])).toEqual([
    ["web", null],
    ["cart", null],
  ]);
  expect(pivot.columns.map(({ label }) => label)).toEqual(["DE", "US", "(missing)"]);
});
