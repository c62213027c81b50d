import type { AlertRule } from "@hadal/sdk";
import { expect, test } from "vitest";
import { fullRule } from "../rule/fullRule.js";
import { dueAt, phaseOf } from "./dueTimes.js";
import { healthOf } from "./health.js";

const waitMs = 2_000;
const ruleOf = (more: Partial<AlertRule> = {}, query: Partial<AlertRule["query"]> = {}) =>
  fullRule({
    query: { table: "t", from: "-1m", to: "now", aggregates: [{ fn: "count" }], ...query },
    condition: { aggregate: "count", op: "above", value: 1 },
    ...{ everyMs: 10_000, ...more },
  });

const at = (rule: ReturnType<typeof ruleOf>, ms: number): number => dueAt(rule, phaseOf(rule), ms);
const startMs = Date.parse("2026-11-30T10:00:00Z");
const options = (nowMs: number) => ({ nowMs, lateMs: () => waitMs });

test("a rule that was judged when it was due is not behind, nor one that is due since less than 5 s", () => {
  const rule = ruleOf();
  const dueMs = at(rule, startMs);
  const judged = { rule, savedMs: 0, judgedToMs: dueMs - waitMs };
  for (const ms of [0, 9_999, 14_999])
    expect(healthOf([judged], options(dueMs + ms))).toEqual({ behind: 0, lagMs: 0 });
  expect(healthOf([judged], options(dueMs + 15_001))).toEqual({ behind: 1, lagMs: 5_001 });
});

test("the longest wait is that from when the first window was due", () => {
  const rules = [ruleOf(), ruleOf({ waitMs: 0 }), ruleOf({ everyMs: 1_000 })].map((rule) => ({
    ...{ rule, savedMs: 0 },
    judgedToMs: at(rule, startMs) - (rule.waitMs ?? waitMs),
  }));
  const nowMs = startMs + 65_000;
  const waits = rules.map(({ rule }) => nowMs - (at(rule, startMs) + rule.everyMs));
  expect(healthOf(rules, options(nowMs))).toEqual({ behind: 3, lagMs: Math.max(...waits) });
});

test("with time buckets it is due when a bucket is over", () => {
  const rule = ruleOf({}, { from: "-3h", groupBy: [{ time: "1h" }] });
  const judged = { rule, savedMs: 0, judgedToMs: startMs };
  expect(healthOf([judged], options(startMs + 3_590_000))).toEqual({ behind: 0, lagMs: 0 });
  expect(healthOf([judged], options(startMs + 3_600_000 + waitMs + 30_000))).toEqual({
    ...{ behind: 1, lagMs: 30_000 },
  });
});

test("one that was saved and never judged is due since then", () => {
  const rule = { rule: ruleOf(), savedMs: startMs, judgedToMs: null };
  expect(healthOf([rule], options(startMs + 4_000))).toEqual({ behind: 0, lagMs: 0 });
  expect(healthOf([rule], options(startMs + 7_000))).toEqual({ behind: 1, lagMs: 7_000 });
});
