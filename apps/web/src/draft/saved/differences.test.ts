import { describe, expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { differencesOf } from "./differences.js";

const start: ExploreState = { ...initialState("requests"), groupBy: ["service"] };
const before = (name: string, change: Partial<ExploreState>) =>
  differencesOf(start, { ...start, ...change }).map((part) => (part.name === name ? name : part));

describe("differences of two states", () => {
  test("none between a state and itself, whichever document it came from", () => {
    expect(differencesOf(start, { ...start, saved: "x" })).toEqual([]);
  });

  /** A change of every part of the state, and the name of the part that differs. */
  const changes = {
    table: ["Table", { table: "log" }],
    from: ["Time", { from: "-1d" }],
    to: ["Time", { to: "-1h" }],
    live: ["Time", { live: true }],
    timeZone: ["Time zone", { timeZone: "UTC" }],
    compare: ["Compare", { compare: { offset: "7d", filter: null } }],
    part: ["Compare", { part: { fromMs: 1, toMs: 2 } }],
    aggregates: ["Show", { aggregates: [{ fn: "count", as: "n" }] }],
    having: ["Kept groups", { having: [{ column: "count", op: ">", value: 5 }] }],
    derive: ["Computed columns", { derive: [{ as: "slow", js: "(row) => 1" }] }],
    groupBy: ["Group by", { groupBy: [{ bucket: "service", edges: [0, 1] }] }],
    bucket: ["Time bucket", { bucket: "5m" }],
    filters: ["Filters", { filters: [{ filter: { column: "a", op: "=", value: 1 }, off: true }] }],
    order: ["Order", { order: { by: "count", desc: true } }],
    limit: ["Limit", { limit: 7 }],
    series: ["Limit", { series: 7 }],
    view: ["View", { view: "table" }],
    options: ["View options", { options: { scale: "log" } }],
    columns: ["Columns", { columns: ["status"] }],
    exact: ["Every row or no answer", { exact: true }],
    timeoutMs: ["Time limit", { timeoutMs: 500 }],
    freshnessMs: ["Age of an answer", { freshnessMs: 500 }],
    shape: ["Query", { shape: {} }],
    saved: [null, { saved: "x" }],
  } satisfies Record<keyof ExploreState, readonly [string | null, Partial<ExploreState>]>;

  test.each(Object.entries(changes))("a change of %s is named", (_, [name, change]) => {
    expect(before(name ?? "", change)).toEqual(name === null ? [] : [name]);
  });

  test("marks the entries that only one side has", () => {
    const filter = (column: string) => ({
      filter: { column, op: "is present" as const },
      off: false,
    });
    const [part] = differencesOf(
      { ...start, filters: [filter("a"), filter("b")] },
      { ...start, filters: [filter("b"), filter("c")] },
    );
    expect(part).toEqual({
      name: "Filters",
      before: [
        { text: "a is present", own: true },
        { text: "b is present", own: false },
      ],
      after: [
        { text: "b is present", own: false },
        { text: "c is present", own: true },
      ],
    });
  });

  test("another order of the same entries differs", () => {
    const [part] = differencesOf(
      { ...start, groupBy: ["a", "b"] },
      { ...start, groupBy: ["b", "a"] },
    );
    expect(part?.after).toEqual([
      { text: "b", own: true },
      { text: "a", own: true },
    ]);
  });
});
