import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { type Whole, wholeOf } from "../../kit/answer/whole.js";
import type { Sides } from "../../kit/answer/wholeParts.js";
import { inputOf, resultOf, testTheme } from "../../testing/answers.js";
import { buildPieOption, ringNotes, slicesOf, sliceTooltip, wholeOfSlices } from "./build.js";

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
const common = { totals, hues: [0, 1, 2, 3], overlap: false, theme: testTheme };

const page = { theme: testTheme, width: 800, height: 400 };

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
    const drawing = { ...page, slices, whole: null, compared: true };
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
    const tipOf = (pie: { whole: Whole | null; overlap: boolean }) =>
      sliceTooltip(cart, countMeasure, { whole: wholeOfSlices(slices, pie), compared: true });
    const sharesIn = (pie: Parameters<typeof tipOf>[0]) =>
      tipOf(pie).rows.map(({ cells: [, share] }) => share);
    expect(tipOf({ whole, overlap: false })).toMatchObject({
      rows: [{ cells: ["60", "60 %"] }, { cells: ["30", "33 %"] }],
      note: "+100 %",
    });
    expect(sharesIn({ whole: null, overlap: false })).toEqual(["67 %", "38 %"]);
    // Of slices that overlap the sum is no whole.
    expect(sharesIn({ whole, overlap: true })).toEqual(["60 %", "33 %"]);
    expect(sharesIn({ whole: null, overlap: true })).toEqual(["", ""]);
  });

  test("where groups overlap, labels are shares of the whole, and there is no rest", () => {
    const slices = slicesOf({
      ...common,
      whole: { now: 80, was: 80 },
      restCount: 7,
      overlap: true,
    });
    expect(slices).toHaveLength(3);
    const labelsOf = (of: Sides | null) => {
      const option = buildPieOption({ ...page, slices, whole: of, compared: false });
      const [ring] = option.series as {
        label: { formatter: (params: { dataIndex: number }) => string };
      }[];
      return slices.map((_, dataIndex) => ring?.label.formatter({ dataIndex }));
    };
    expect(labelsOf({ now: 80, was: 80 })).toEqual(["cart  75 %", "<b>  38 %", "gone  0 %"]);
    expect(labelsOf(null)).toEqual(["cart", "<b>", "gone"]);
  });

  test("numbers without a slice are noted", () => {
    expect(ringNotes({ ...common, whole, restCount: 7 })).toBe(
      "1 group below 0 has no slice; the table has it.",
    );
    const fine = { ...common, totals: totals.slice(0, 3), whole };
    expect(ringNotes({ ...fine, restCount: 7 })).toBe("");
    expect(ringNotes({ ...fine, restCount: 7, overlap: true })).toBe(
      "A row counts in each of its elements: shares are of all rows and may add up to more than 100 %. 7 more groups have no slice.",
    );
  });
});

test("a total from other leaves is not the whole of these parts", () => {
  const { completeness } = total;
  const leaves = { ...completeness.leaves, missing: ["leaf-1"] };
  const part = { completeness: { ...completeness, fraction: 0.5, leaves } };
  expect([wholeOf(total, countMeasure, part), whole]).toEqual([null, { now: 100, was: 90 }]);
});
