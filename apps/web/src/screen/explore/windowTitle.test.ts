import { expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { windowTitle } from "./windowTitle.js";

const state: ExploreState = { ...initialState("requests"), groupBy: ["service"] };

test("the title names the aggregates, the groups, the comparison, the table and the range", () => {
  const compared = { ...state, compare: { offset: "1w", filter: null } };
  expect(windowTitle(compared, "UTC")).toBe(
    "count by service over time vs 1 week earlier · requests · last 3 hours · Hadal",
  );
  expect(windowTitle({ ...state, view: "rows" }, "UTC")).toContain("rows of requests");
});
