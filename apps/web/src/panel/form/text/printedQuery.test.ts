import type { ColumnInfo, Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { initialState } from "../../../query/state/exploreState.js";
import type { FormQuery } from "../../formQuery.js";
import { printedQuery } from "./printedQuery.js";

const columns: ColumnInfo[] = [
  { name: "latency_us", type: "int", decimals: 0, rows: 1, bytes: 1, compressionRatio: null },
];
const state = { ...initialState("requests"), view: "heatmap" as const };
const printed = (probe: FormQuery["probe"]) =>
  printedQuery(state, { timeZone: "UTC", columns, probe }, "json");

test("a query that depends on a probe is printed with its result, and not before", () => {
  const result = {
    columns: ["min", "max", "p0.5", "p50", "p99.5"].map((fn) => ({ name: `${fn}_latency_us` })),
    rows: [[100, 9_000, 100, 5_000, 9_000]],
  } as unknown as Result;
  expect(printed({ kind: "pending" })).toBeNull();
  expect(printed({ kind: "ready", result })).toContain('"edges"');
  // Without a probe there are no values to fit the bins to.
  expect(printed({ kind: "none" })).toContain('"scale": "log"');
});

test("a query with unreadable times is not printed", () => {
  const probe = { kind: "none" } as const;
  const unread = { ...state, from: "yesterdayish" };
  expect(printedQuery(unread, { timeZone: "UTC", columns, probe }, "sql")).toBeNull();
});
