import { describe, expect, test } from "vitest";
import { countMeasure } from "../series.js";
import { inputOf, resultOf, testTheme } from "../testing/answers.js";
import { totalsOfResult } from "../totals.js";
import { wholeOf } from "../whole.js";
import { buildPieOption, slicesOf, sliceTooltip } from "./build.js";

const compared = ["group service", "count", "count.compare"];
const input = inputOf(
  resultOf(compared, [
    ["cart", 60, 30],
    ["<b>", 30, 40],
    ["gone", 0, 10],
    ["wrong", -5, 0],
  ]),
);
const totals = totalsOfResult(input.result, input);
const total = resultOf(["count", "count.compare"], [[100, 90]]);
const whole = wholeOf(total, countMeasure, input.result);
const common = { totals, hues: [0, 1, 2, 3], theme: testTheme };

describe("slices", () => {
  test("what the answer left out is one slice; what is below 0 has none", () => {
    const slices = slicesOf({ ...common, whole, restCount: 7 });
    expect(slices.map(({ label, now, was }) => [label, now, was])).toEqual([
      ["cart", 60, 30],
      ["<b>", 30, 40],
      ["gone", 0, 10],
      ["7 others", 15, 10],
    ]);
    expect(slices.at(-1)?.total).toBeNull();
  });

  test("without the whole, or with nothing left out, there is no rest", () => {
    expect(slicesOf({ ...common, whole: null, restCount: 7 })).toHaveLength(3);
    expect(slicesOf({ ...common, whole, restCount: 0 })).toHaveLength(3);
  });

  test("side B is a ring of its own, with the same slices in the same hues", () => {
    const slices = slicesOf({ ...common, whole, restCount: 0 });
    const drawing = { slices, compared: true, theme: testTheme, width: 800, height: 400 };
    const rings = buildPieOption(drawing).series as { id: string; data: { value: number }[] }[];
    expect(rings.map(({ id, data }) => [id, data.map(({ value }) => value)])).toEqual([
      ["now", [60, 30, 0]],
      ["was", [30, 40, 10]],
    ]);
  });

  test("tooltips have the share of both sides and the change", () => {
    const slices = slicesOf({ ...common, whole, restCount: 0 });
    const [cart] = slices;
    if (cart === undefined) throw new Error("no slice");
    const { rows, note } = sliceTooltip(cart, slices, countMeasure, true);
    expect(rows.map(({ cells }) => cells)).toEqual([
      ["60", "67 %"],
      ["30", "38 %"],
    ]);
    expect(note).toBe("+100 %");
  });
});

test("what other leaves told is no whole of these parts", () => {
  const { completeness } = total;
  const leaves = { ...completeness.leaves, missing: ["leaf-1"] };
  const part = { completeness: { ...completeness, fraction: 0.5, leaves } };
  expect([wholeOf(total, countMeasure, part), whole]).toEqual([null, { now: 100, was: 90 }]);
});
