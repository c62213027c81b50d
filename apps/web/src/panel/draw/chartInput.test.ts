import type { Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { buildQuery } from "../../draft/ask/buildQuery.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { chartInputOf } from "./chartInput.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const state: ExploreState = { ...initialState("requests"), groupBy: ["service"] };

describe("answers", () => {
  const result = {
    columns: [{ name: "sum_latency_us", type: "int", role: "aggregate", unit: "us" }],
    asOf: nowMs,
  } as unknown as Result;
  test("numbers of a part of the rows are lower bounds in the final answer only", () => {
    const built = buildQuery(
      { ...state, aggregates: [{ fn: "count" }] },
      { timeZone: "UTC", nowMs },
    );
    const subject = { state, built, timeZone: "UTC", key: "" };
    const completeness = { fraction: 0.5 } as Result["completeness"];
    const [final, partial] = [true, false].map((final) =>
      chartInputOf({ ...result, completeness, final, lowerBounds: ["count"] }, subject),
    );
    expect(final?.measures[0]?.measure.shareOfRows).toBe(0.5);
    expect(partial?.measures[0]?.measure.shareOfRows).toBeUndefined();
  });

  test("know the message column", () => {
    const built = buildQuery({ ...state, view: "rows" }, { timeZone: "UTC", nowMs });
    const texts = { ...result, columns: [{ name: "message", type: "string", role: "sample" }] };
    const input = chartInputOf(texts as unknown as Result, {
      state,
      built,
      timeZone: "UTC",
      key: "",
    });
    expect(input.message).toBe("message");
  });

  test("a range that ends now ends at the server's time", () => {
    const asked: ExploreState = {
      ...state,
      aggregates: [{ fn: "sum", column: "latency_us", per: "minute" }],
    };
    const built = buildQuery(asked, { timeZone: "UTC", nowMs: nowMs - 60_000 });
    const input = chartInputOf(result, { state: asked, built, timeZone: "UTC", key: "" });
    expect([input.fromMs, input.toMs]).toEqual([nowMs - 3 * 3_600_000, nowMs]);
    const compared = { ...asked, compare: { offset: "1w", filter: null } };
    const subject = { state: compared, built, timeZone: "UTC", key: "" };
    expect(chartInputOf(result, subject).measures[0]?.baseName).toBe("1 week earlier");
    expect(input.measures[0]).toMatchObject({
      measure: { unit: "us", per: "minute" },
      additive: true,
      total: null,
    });
  });
});
