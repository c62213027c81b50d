import { expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { buildQuery } from "../ask/buildQuery.js";
import { applyEdit } from "./edits.js";

const patterns = (state: Partial<ExploreState> = {}, column = "message") =>
  applyEdit({ ...initialState("requests"), ...state }, { kind: "see patterns", column });
const patternOf = (column: string, as = `${column}_pattern`) => ({
  as,
  expression: { fn: "pattern" as const, args: [{ column }] },
});
const asked = (state: ExploreState) =>
  buildQuery(state, { timeZone: "UTC", nowMs: Date.UTC(2026, 10, 21) });

test("rows are counted by the pattern of a column, with its course and the whole", () => {
  const filters = [{ filter: { column: "status", op: ">=", value: 500 }, off: false } as const];
  const { query, extras } = asked(patterns({ filters, view: "rows", limit: 5 }));
  expect(query).toMatchObject({
    derive: [patternOf("message")],
    filter: [filters[0]?.filter],
    groupBy: ["message_pattern"],
    aggregates: [{ fn: "count" }],
    orderBy: [{ by: "count", desc: true }],
    limit: 100,
  });
  expect(extras.sparks?.groupBy).toEqual([{ time: "300000ms" }, "message_pattern"]);
  expect(extras.total?.groupBy).toEqual([]);
});

test("it is derived once, and beside what else is called so", () => {
  const first = patterns();
  expect(patterns(first).derive).toEqual(first.derive);
  const taken = { as: "message_pattern", js: "(row) => 1" };
  expect(patterns({ derive: [taken] }).derive).toEqual([
    taken,
    patternOf("message", "message_pattern_2"),
  ]);
  expect(patterns({ derive: [patternOf("body", "b")] }, "body").groupBy).toEqual(["b"]);
});

test("patterns are counted, whatever the form shows first", () => {
  const p95 = { fn: "percentile", column: "latency_us", p: 95 } as const;
  const present = { fn: "count", column: "user_id" } as const;
  const perMinute = { fn: "count", per: "minute" } as const;
  const count = { fn: "count", as: "requests" } as const;
  const numbersOf = (state: ExploreState) => asked(state).query.aggregates;
  const without = patterns({ aggregates: [p95, present, perMinute] });
  expect(without.aggregates).toEqual([{ fn: "count" }, p95, present, perMinute]);
  expect(numbersOf(without)).toEqual([{ fn: "count" }]);
  expect(numbersOf(patterns({ aggregates: [p95, count] }))).toEqual([count]);
});

test("with a comparison the largest change comes first", () => {
  const { query } = asked(patterns({ compare: { offset: "7d", filter: null } }));
  expect(query).toMatchObject({ compare: { offset: "7d" }, orderBy: [{ by: "count.delta" }] });
});
