import { expect, test } from "vitest";
import type { ResolvedFilter, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { countRequests } from "../../plan/testing/countRequests.js";
import { shapeOfQuery } from "./shapeOfQuery.js";

const [side] = countRequests.sides;
const filtered = (filter: ResolvedFilter, fromMs = 0): ResolvedQuery => ({
  ...countRequests,
  sides: [{ ...side!, fromMs, filter }],
});
const service = (value: string): ResolvedFilter => ({
  ...{ kind: "strings", column: "service", values: [value], negated: false },
});
const keyOf = (resolved: ResolvedQuery): string => shapeOfQuery(resolved).key;

test("values of filters and ranges make no other shape", () => {
  expect(keyOf(filtered(service("checkout")))).toBe(keyOf(filtered(service("search"), 99)));
});

test("as many time buckets, about, are one shape", () => {
  const inBuckets = (count: number): string =>
    keyOf({
      ...countRequests,
      sides: [{ ...side!, buckets: { kind: "even", startMs: 0, stepMs: 1, count } }],
    });
  expect(inBuckets(241)).toBe(inBuckets(240));
  expect(inBuckets(24)).not.toBe(inBuckets(240));
  const edgesMs = Array.from({ length: 241 }, (_, i) => i);
  const edges = { ...side!, buckets: { kind: "edges", edgesMs } as const };
  expect(keyOf({ ...countRequests, sides: [edges] })).toBe(inBuckets(240));
});

test.each<[string, Partial<ResolvedQuery>]>([
  ["another table", { table: "visits" }],
  ["a comparison", { sides: [side!, side!] }],
  ["a filter", { sides: [{ ...side!, filter: service("a") }] }],
  ["a granted filter", { granted: service("a") }],
  ["a nested filter", { granted: { kind: "any", filters: [service("a"), service("b")] } }],
  ["a group", { groupBy: [{ kind: "element", column: "tags" }] }],
  ["a state", { states: [...countRequests.states, { kind: "sum", column: "b", decimals: 0 }] }],
])("%s is another shape", (_, parts) => {
  expect(keyOf({ ...countRequests, ...parts })).not.toBe(keyOf(countRequests));
});

test.each<[string, Partial<ResolvedQuery>]>([
  ["scan", {}],
  ["time-series", { groupBy: [{ kind: "element", column: "tags" }, { kind: "time" }] }],
  ["groups", { groupBy: [{ kind: "element", column: "tags" }] }],
  ["rows", { sample: { columns: [], limit: 10, newestFirst: true } }],
])("%s", (kind, parts) => {
  expect(shapeOfQuery({ ...countRequests, ...parts }).kind).toBe(kind);
});
