import type { ColumnChange } from "@hadal/sdk";
import { expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import { groupedByChange } from "./groupedByChange.js";

const start = { ...initialState("requests"), view: "changes" } as const;

test.each([
  [{ name: "service", type: "string" }, "service"],
  [{ name: "tags", type: "set" }, { element: "tags" }],
  [{ name: "stack", type: "vector" }, { element: "stack" }],
  [
    { name: "latency_us", type: "int", unit: "us" },
    { bucket: "latency_us", scale: "log" },
  ],
])("when %j changed: over time, split as its kind is", (column, group) => {
  const state = groupedByChange(start, column as unknown as ColumnChange);
  expect([state.view, ...state.groupBy]).toEqual(["timeseries", group]);
});
