import type { AlertRule, Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { fullRule } from "../rule/fullRule.js";
import { previewPlan, previewRule } from "./previewRule.js";

const minuteMs = 60_000;
const nowMs = Date.UTC(2026, 10, 30, 10);

const ruleOf = (condition: AlertRule["condition"], more: Partial<AlertRule> = {}) =>
  fullRule({
    query: { table: "t", from: "-1h", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", ...condition },
    ...more,
  });

/** Counts of the hours before now, the last one first; hours that are not given have none. */
function previewOf(
  rule: ReturnType<typeof ruleOf>,
  counts: readonly (number | null)[],
  more: Partial<Result> = {},
) {
  const rows = counts.flatMap((count, i) =>
    count === null ? [] : [[nowMs - (i + 1) * 60 * minuteMs, count]],
  );
  return previewRule(rule, previewPlan(rule, nowMs), {
    columns: [
      { name: "time", type: "time", role: "group" },
      { name: "count", type: "int", role: "aggregate" },
    ],
    rows: rows.reverse(),
    completeness: { fraction: 1, leaves: { answered: 1, total: 1, missing: [] } },
    ...{ intervals: {}, asOf: 0, final: true, truncated: null },
    stats: { rowsMatched: 0, cache: "miss", elapsedMs: 0, scanMs: 0, mergeMs: 0 },
    ...more,
  }).firings.map(({ fromMs, toMs, value, heldBack }) => [
    ...[(nowMs - fromMs) / 60 / minuteMs, (nowMs - toMs) / 60 / minuteMs, value],
    ...(heldBack === undefined ? [] : [heldBack]),
  ]);
}

test("one query asks for all windows, and for what they are compared with", () => {
  const { query, range } = previewPlan(ruleOf({ op: "above", value: 5 }), nowMs);
  expect(query).toMatchObject({ from: range.fromMs, to: nowMs, groupBy: [{ time: "3600000ms" }] });
  const changed = ruleOf({ op: "changed-by", value: 50, against: "7d" });
  const plan = previewPlan(changed, nowMs);
  expect([plan.range, plan.query.from]).toEqual([range, range.fromMs - 7 * 1_440 * minuteMs]);
});

test("windows in a row are one firing; so many are needed as the rule says", () => {
  const counts = [9, 1, 9, 9, 9, 1, 9];
  expect(previewOf(ruleOf({ op: "above", value: 5 }), counts)).toEqual([
    ...[
      [7, 6, 9],
      [5, 2, 9],
      [1, 0, 9],
    ],
  ]);
  const twice = ruleOf({ op: "above", value: 5 }, { forTimes: 2, everyMs: 60 * minuteMs });
  expect(previewOf(twice, counts)).toEqual([[4, 2, 9]]);
});

test("what lies within its bars, or lacks rows, is held back; open windows are not judged", () => {
  const counts = [9, 1, 9, 1, 9];
  const rule = ruleOf({ op: "above", value: 5 });
  // In the order of time, as rows are.
  const bars = [
    [8, 10],
    [1, 1],
    [4, 14],
    [1, 1],
    [8, 10],
  ] as const;
  const coverage: Result["coverage"] = [
    [nowMs - 5 * 60 * minuteMs, 0.9, "missing-leaves"],
    [nowMs - 60 * minuteMs, 0.5, "open"],
  ];
  expect(previewOf(rule, counts, { intervals: { count: bars }, coverage })).toEqual([
    [5, 4, 9, "90 % of the rows answered"],
    [3, 2, 9, "the difference lies within its error bars"],
  ]);
});

test("hours without rows are no rows, and a change is against the hour a day before", () => {
  const absent = ruleOf({ op: "absent" });
  const rows = [1, null, 1].map((count) => count);
  expect(
    previewOf(absent, rows, {
      columns: [
        { name: "time", type: "time", role: "group" },
        { name: "rows", type: "int", role: "aggregate" },
      ],
    }),
  ).toEqual([[2, 1, 0]]);
  const changed = ruleOf({ op: "changed-by", value: 50, against: "1d" });
  const day = Array.from({ length: 24 }, () => 10);
  expect(previewOf(changed, [10, 16, 10, ...day.slice(3), ...day])).toEqual([[2, 1, 16]]);
});
