import { expect, test } from "vitest";
import type { ChartMeasure } from "../answer/series.js";
import type { GroupTotal } from "../answer/totals.js";
import { groupTableColumns } from "./groupTableColumns.js";
import { numberText } from "./numberText.js";

const measure = (name: string, additive: boolean): ChartMeasure => ({
  ...{ name, label: name, measure: {}, additive },
  ...{ zeroWhenAbsent: additive, total: additive ? "count" : null },
});
const measures = [measure("count", true), measure("p95", false)];
const total = (...values: (number | bigint | null)[]): GroupTotal => ({
  ...{ key: "k", group: [], label: "k", values, compare: [], intervals: [], unsure: [] },
});

test("a share is of all rows, those of groups that are not shown too; without them there is none", () => {
  const share = (part: GroupTotal, whole: GroupTotal | null): string =>
    numberText(part, { m: 0, part: "share" }, { measures, form: "short", whole });
  expect(share(total(25), total(200))).toBe("13 %");
  expect(share(total(2n ** 62n), total(2n ** 63n))).toBe("50 %");
  expect(share(total(25), null)).toBe("–");
  expect(share(total(null), total(200))).toBe("–");
  expect(share(total(0), total(0))).toBe("–");
});

test("only numbers that add up have shares, and groups are sorted by them as by the number", () => {
  const sorts: string[] = [];
  const { columns, measureAt } = groupTableColumns({
    ...{ totals: [], groupColumns: ["service"], measures, compared: false, shares: true },
    sort: { by: "count", desc: true },
    onIntent: (intent) => intent.kind === "sort" && sorts.push(intent.by),
  });
  expect(columns.map(({ key }) => key)).toEqual(["group service", "count", "count.share", "p95"]);
  expect(measureAt(2)).toEqual({ m: 0, part: "share" });
  columns[2]?.sort?.onSort();
  expect(sorts).toEqual(["count"]);
});
