import { describe, expect, it } from "vitest";
import { HadalError } from "../../problem/problem.js";
import { checkDocumentDraft } from "../checkDocument.js";
import { checkAlertRule } from "./checkAlert.js";

const query = {
  ...{ table: "visits", from: "-5m", to: "now", groupBy: ["page"] },
  aggregates: [{ fn: "count" }, { fn: "avg", column: "ms" }, { fn: "histogram", column: "ms" }],
};
const condition = { aggregate: "count", op: "above", value: 500 };
const rule = { query, condition };
const hook = { kind: "webhook", url: "https://example.com/hook", secret: "s" };

function problemsOf(value: unknown): readonly (string | undefined)[] {
  try {
    checkAlertRule(value);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

describe("checkAlertRule", () => {
  it.each([
    [rule, []],
    [{ ...rule, everyMs: 1_000, forTimes: 3, waitMs: 0, minCompleteness: 1, repeatMs: 0 }, []],
    [{ ...rule, perGroup: true, judgeWithinBars: true, notifyUnknown: false }, []],
    [{ query, condition: { op: "absent" } }, []],
    [{ query, condition: { op: "new-group", against: "1mo" } }, []],
    [{ query, condition: { ...condition, op: "changed-by", against: "7d" } }, []],
    [null, [""]],
    [{}, ["query", "condition"]],
    [{ ...rule, every: 1 }, ["every"]],
    [{ ...rule, everyMs: 999 }, ["everyMs"]],
    [{ ...rule, everyMs: "60000" }, ["everyMs"]],
    [{ ...rule, forTimes: 0, waitMs: -1, repeatMs: 1 }, ["forTimes", "waitMs", "repeatMs"]],
    [{ ...rule, minCompleteness: 1.1 }, ["minCompleteness"]],
    [{ ...rule, perGroup: 1, judgeWithinBars: "no" }, ["perGroup", "judgeWithinBars"]],
    [{ ...rule, query: { ...query, groupBy: [] }, perGroup: true }, ["perGroup"]],
    [{ ...rule, query: { ...query, from: undefined } }, ["query.from"]],
    [{ ...rule, query: { ...query, table: 1, limit: -1 } }, ["query.table", "query.limit"]],
    [{ ...rule, query: { ...query, from: 0, to: "2026-01-01" } }, ["query.from", "query.to"]],
    [{ ...rule, query: { ...query, from: 0, to: 60_000, groupBy: [{ time: "1m" }] } }, []],
    [{ ...rule, condition: { ...condition, op: "over" } }, ["condition.op"]],
    [{ ...rule, condition: { ...condition, value: "500" } }, ["condition.value"]],
    [{ ...rule, condition: { ...condition, aggregate: "sum_ms" } }, ["condition.aggregate"]],
    [{ ...rule, condition: { ...condition, aggregate: "histogram_ms" } }, ["condition.aggregate"]],
    [{ ...rule, condition: { op: "above" } }, ["condition.value", "condition.aggregate"]],
    [{ ...rule, condition: { ...condition, op: "changed-by" } }, ["condition.against"]],
    [{ ...rule, condition: { ...condition, against: "soon" } }, ["condition.against"]],
    [{ ...rule, condition: { ...condition, op: "outside-band", value: 0 } }, ["condition.value"]],
    [
      { query: { ...query, groupBy: [{ time: "1m" }] }, condition: { op: "new-group" } },
      ["query.groupBy"],
    ],
    [
      { ...rule, query: { ...query, groupBy: [{ time: "1m" }, { time: "1h", as: "hour" }] } },
      ["query.groupBy"],
    ],
  ])("%.90j: each fault at its place", (value, paths) => {
    expect(problemsOf(value)).toEqual(paths);
  });

  it.each([
    [[hook, { kind: "slack", url: "http://a/b" }, { kind: "teams" }], []],
    [
      [
        { kind: "email", to: ["ann@example.com"] },
        { kind: "pagerduty", routingKey: "k" },
      ],
      [],
    ],
    [{}, ["channels"]],
    [[hook, 5], ["channels[1]"]],
    [
      [{ kind: "sms" }, {}],
      ["channels[0].kind", "channels[1].kind"],
    ],
    [
      [{ ...hook, url: "ftp://a" }, { kind: "webhook" }],
      ["channels[0].url", "channels[1].url"],
    ],
    [[{ ...hook, secret: "" }], ["channels[0].secret"]],
    [[{ kind: "slack", url: "a", secret: "s" }], ["channels[0].secret", "channels[0].url"]],
    [[{ kind: "email", to: [] }], ["channels[0].to"]],
    [[{ kind: "email", to: ["a@b\r\nBcc: c@d", 1] }], ["channels[0].to[0]", "channels[0].to[1]"]],
    [[{ kind: "pagerduty", routingKey: 7 }], ["channels[0].routingKey"]],
  ])("%.90j: each fault of a channel at its place", (channels, paths) => {
    expect(problemsOf({ ...rule, channels })).toEqual(paths);
  });
});

it("a document of the kind alert is a rule", () => {
  const draft = { kind: "alert", title: "Errors", body: { ...rule, everyMs: 1 } };
  const paths = (): readonly (string | undefined)[] => {
    try {
      checkDocumentDraft(draft);
      return [];
    } catch (error) {
      return (error as HadalError).errors.map(({ path }) => path);
    }
  };
  expect(paths()).toEqual(["body.everyMs"]);
  expect(checkDocumentDraft({ ...draft, body: rule })).toMatchObject({ kind: "alert" });
});
