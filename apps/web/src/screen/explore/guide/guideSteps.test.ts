import type { ColumnInfo } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { expect, test } from "vitest";
import { buildQuery } from "../../../query/buildQuery.js";
import { initialState } from "../../../query/exploreState.js";
import { canGuide, guideSteps } from "./guideSteps.js";

const columns = ["time", "service", "status", "latency_us", "stack"].map(
  (name) =>
    ({
      name,
      type: name === "stack" ? "vector" : name === "service" ? "string" : "int",
      decimals: 0,
      rows: 1,
      bytes: 1,
      compressionRatio: null,
    }) as ColumnInfo,
);

test("every step asks what the server accepts, and keeps the range that was zoomed into", () => {
  let state = { ...initialState("requests"), from: "2026-11-21T09:00:00Z" };
  for (const step of guideSteps) {
    state = step.apply(state);
    const { query } = buildQuery(state, "UTC", Date.UTC(2026, 10, 21, 12), columns);
    expect(checkQuery(JSON.parse(JSON.stringify(query)))).toBeTruthy();
    expect(state.from).toBe("2026-11-21T09:00:00Z");
  }
  expect(state.filters).toHaveLength(1);
});

test("is offered for the demo table alone", () => {
  expect(canGuide("requests", columns)).toBe(true);
  expect(canGuide("requests", columns.slice(1, 3))).toBe(false);
  expect(canGuide("visits", columns)).toBe(false);
});
