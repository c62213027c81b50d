import type { AlertRule } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import {
  type AlertForm,
  emptyChannel,
  formOfRule,
  formOfState,
  readAlert,
  watchedOfRule,
  watchedOfState,
} from "./alertForm.js";

const state = {
  ...initialState("visits"),
  aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }] as const,
  groupBy: ["page"],
  bucket: "1m",
  limit: 7,
};
const form: AlertForm = { ...formOfState(state, "Errors"), value: "500" };
const watched = watchedOfState(state);
const faultsOf = (part: Partial<AlertForm>) => {
  const read = readAlert({ ...form, ...part }, watched, undefined);
  return read.ok ? {} : read.faults;
};

describe("a form", () => {
  test("of a chart watches its first number, without bucket, order, limit and comparison", () => {
    const compared = { ...state, compare: { offset: "7d", filter: null } };
    expect(watchedOfState(compared)).toEqual(watched);
    expect(watched.query).toEqual({
      ...{ table: "visits", from: "-3h", to: "now", groupBy: ["page"] },
      aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }],
    });
    expect(formOfState(compared, "")).toMatchObject({
      op: "changed-by",
      value: "20",
      against: "7d",
    });
    expect(form).toMatchObject({ op: "above", aggregate: "count" });
  });

  test("is a rule whose window ends now", () => {
    const read = readAlert({ ...form, windowMs: 600_000, perGroup: true }, watched, undefined);
    expect(read).toMatchObject({
      ok: true,
      rule: {
        query: { from: "-10m", to: "now", groupBy: ["page"] },
        condition: { aggregate: "count", op: "above", value: 500 },
        ...{ perGroup: true, minCompleteness: 0.995, channels: [] },
      },
    });
  });

  test("reads a bound by the unit of its number", () => {
    const bound = (value: string, unit: string, op: AlertForm["op"] = "above") => {
      const read = readAlert({ ...form, value, op }, watched, unit);
      return read.ok ? read.rule.condition.value : read.faults.value;
    };
    expect(bound("250ms", "us")).toBe(250_000);
    expect(bound("250", "us")).toBe("“250” is no amount: write 250us.");
    expect(bound("20%", "us", "changed-by")).toBe(20);
  });

  test.each<[Partial<AlertForm>, string]>([
    [{ title: " " }, "title"],
    [{ value: "" }, "value"],
    [{ value: "many" }, "value"],
    [{ aggregate: "sum_ms" }, "aggregate"],
    [{ op: "changed-by", against: "soon" }, "against"],
    [{ completeness: "" }, "completeness"],
    [{ completeness: "101" }, "completeness"],
    [{ channels: [emptyChannel] }, "channels[0].url"],
    [{ channels: [{ ...emptyChannel, kind: "email", to: "ann" }] }, "channels[0].to"],
  ])("with %j has its fault at %s", (part, field) => {
    expect(Object.keys(faultsOf(part))).toEqual([field]);
  });
});

test("a saved rule is the same after it was opened and saved", () => {
  const rule: AlertRule = {
    query: {
      table: "visits",
      from: "-1h",
      to: "now",
      groupBy: ["page"],
      aggregates: [{ fn: "count" }],
    },
    condition: { aggregate: "count", op: "changed-by", value: 12.5, against: "1d" },
    ...{ everyMs: 30_000, waitMs: 5_000, forTimes: 3, minCompleteness: 0.9, perGroup: true },
    ...{ repeatMs: 3_600_000, judgeWithinBars: true, notifyUnknown: true },
    channels: [
      { kind: "webhook", url: "https://example.com/a", secret: "********" },
      { kind: "email", to: ["ann@example.com", "bob@example.com"] },
      { kind: "pagerduty", routingKey: "********" },
      { kind: "slack", url: "https://hooks.example.com/b" },
    ],
  };
  const opened = formOfRule("Errors", rule, undefined);
  expect(readAlert(opened, watchedOfRule(rule), undefined)).toEqual({ ok: true, rule });
});
