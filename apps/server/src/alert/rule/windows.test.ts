import type { AlertRule } from "@hadal/sdk";
import { expect, test } from "vitest";
import { fullRule } from "./fullRule.js";
import { questionsOf } from "./ruleQueries.js";
import { windowsOf } from "./windows.js";

const ruleOf = (query: Partial<AlertRule["query"]>, condition: AlertRule["condition"]) =>
  fullRule({
    query: { table: "t", from: "-1h", to: "now", aggregates: [{ fn: "count" }], ...query },
    condition: { aggregate: "count", ...condition },
  });
const above = { op: "above", value: 1 } as const;
const at = Date.parse;
const text = (ranges: readonly { readonly fromMs: number; readonly toMs: number }[]) =>
  ranges.map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => new Date(ms).toISOString().slice(0, 16)).join(" "),
  );

test("the window is the query's range, ending when late rows have arrived", () => {
  const endMs = at("2026-11-30T10:00:07Z");
  expect(windowsOf(ruleOf({}, above), endMs)).toEqual({
    ...{ judged: { fromMs: endMs - 3_600_000, toMs: endMs }, compared: [] },
  });
});

test("of time buckets the last one that is over is judged, never the open one", () => {
  const rule = ruleOf({ from: "-3d", groupBy: [{ time: "5m" }, "page"], limit: 5 }, above);
  for (const [end, judged] of [
    ["2026-11-30T10:04:59.999Z", "2026-11-30T09:55 2026-11-30T10:00"],
    ["2026-11-30T10:05:00Z", "2026-11-30T10:00 2026-11-30T10:05"],
  ] as const)
    expect(text([windowsOf(rule, at(end)).judged])).toEqual([judged]);
  const { judged } = questionsOf(rule, at("2026-11-30T10:05:00Z"));
  expect(judged).toMatchObject({ groupBy: [], limit: 1_001, from: at("2026-11-30T10:00Z") });
});

test("a day's bucket is the day of the zone, also where it has 23 hours", () => {
  const rule = ruleOf({ groupBy: [{ time: "1d" }], timeZone: "Europe/Berlin" }, above);
  expect(text([windowsOf(rule, at("2026-03-30T05:00:00Z")).judged])).toEqual([
    "2026-03-28T23:00 2026-03-29T22:00",
  ]);
});

test("the same hour last week is that of the clock, whatever the zone's clock did since", () => {
  const condition = { op: "changed-by", value: 50, against: "7d" } as const;
  const endMs = at("2026-03-30T10:00:00Z");
  const zoned = ruleOf({ timeZone: "Europe/Berlin" }, condition);
  expect(text(windowsOf(zoned, endMs).compared)).toEqual(["2026-03-23T10:00 2026-03-23T11:00"]);
  expect(text(windowsOf(ruleOf({}, condition), endMs).compared)).toEqual([
    "2026-03-23T09:00 2026-03-23T10:00",
  ]);
});

test("a band has six weeks, and groups are looked for in all of the time before", () => {
  const endMs = at("2026-11-30T10:00:00Z");
  const band = windowsOf(ruleOf({}, { op: "outside-band", value: 3 }), endMs).compared;
  expect([band.length, ...text(band.slice(0, 1)), ...text(band.slice(5))]).toEqual([
    6,
    "2026-11-23T09:00 2026-11-23T10:00",
    "2026-10-19T09:00 2026-10-19T10:00",
  ]);
  const fresh = questionsOf(ruleOf({ groupBy: ["page"] }, { op: "new-group" }), endMs);
  expect(text(fresh.windows.compared)).toEqual(["2026-11-23T09:00 2026-11-30T09:00"]);
  expect(fresh.compared[0]).toMatchObject({ groupBy: ["page"] });
});
