import { describe, expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { isSameQuestion } from "../url/sameQuestion.js";
import { valueAxes } from "./axes.js";
import { optionsInForce, optionsToDraw } from "./viewOptions.js";

const stateOf = (more: Partial<ExploreState> = {}): ExploreState => ({
  ...initialState("requests"),
  ...more,
});
const p95 = { fn: "percentile", column: "latency_us", p: 95 } as const;

describe("choices of how an answer is drawn", () => {
  test("leave its question what it is", () => {
    const drawn = stateOf({ options: { average: "5", lines: 'only ["x"]', draw: "bars" } });
    expect(isSameQuestion(stateOf(), drawn)).toBe(true);
    expect(isSameQuestion(stateOf(), stateOf({ options: { value: "bytes" } }))).toBe(false);
    expect(isSameQuestion(stateOf(), stateOf({ limit: 5 }))).toBe(false);
    const area = stateOf({ view: "area" });
    expect(isSameQuestion(area, { ...area, options: { stack: "share" } })).toBe(false);
  });

  test("are those of the page, the others those that the answer was asked with", () => {
    const asked = { stack: "amount", draw: "line", average: "5" };
    const now = stateOf({ view: "area", options: { stack: "share", draw: "bars" } });
    expect(optionsToDraw(asked, now, [])).toEqual({ stack: "amount", draw: "bars" });
  });

  test("sides are a choice where two are compared", () => {
    expect(optionsInForce(stateOf(), [])).toEqual({ draw: "line" });
    const compared = stateOf({ compare: { offset: "7d", filter: null } });
    expect(optionsInForce(compared, [])).toEqual({ versus: "auto", draw: "line" });
  });
});

describe("axes of a chart over time", () => {
  const namesOf = (state: ExploreState, options = {}) =>
    valueAxes(state, options).map(({ name, unit }) => [name, unit]);

  test("are those of its numbers, in their units", () => {
    const ratio = { fn: "ratio", of: { fn: "count" }, by: { fn: "count" }, percent: true } as const;
    expect(
      namesOf(stateOf({ aggregates: [{ fn: "count" }, p95, { ...ratio, as: "errors" }] })),
    ).toEqual([
      ["count", undefined],
      ["p95_latency_us", "us"],
      ["errors", "percent"],
    ]);
    const distinct = { fn: "distinct", column: "latency_us" } as const;
    expect(namesOf(stateOf({ aggregates: [distinct] }))[0]?.[1]).toBeUndefined();
  });

  test("differences, ratios and shares have their own", () => {
    const state = stateOf({ aggregates: [p95] });
    expect(namesOf(state, { versus: "auto" })).toEqual([
      ["p95_latency_us", "us"],
      ["p95_latency_us.difference", "us"],
    ]);
    expect(namesOf(state, { versus: "ratio" })).toEqual([["p95_latency_us.ratio", "times"]]);
    expect(namesOf(stateOf({ view: "area" }), { stack: "share" })).toEqual([
      ["count.share", "percent"],
    ]);
    expect(namesOf(stateOf({ view: "percentiles" }), { value: "latency_us" })).toEqual([
      ["p50_latency_us", "us"],
    ]);
  });
});
