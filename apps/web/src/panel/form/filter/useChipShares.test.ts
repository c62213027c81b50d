import type { Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { resultOf } from "../../../chart/testing/answers.js";
import { initialState } from "../../../query/state/exploreState.js";
import { countOf, shareOf } from "./useChipShares.js";

const counted = (count: number, missing: readonly string[] = []): Result => {
  const result = resultOf(["count"], [[count]]);
  const leaves = { ...result.completeness.leaves, missing };
  return { ...result, completeness: { ...result.completeness, leaves } } as Result;
};

test("a share needs counts from the same leaves", () => {
  expect(shareOf(counted(25), counted(100))).toBe(0.25);
  expect(shareOf(counted(0), counted(0))).toBe(0);
  expect(shareOf(counted(25), counted(50, ["leaf-1"]))).toBeNull();
});

test("a share is counted in the reader's time zone, which the state does not contain", () => {
  const filter = [{ column: "hour_of_day", op: "=" as const, value: 9 }];
  const state = initialState("requests");
  expect(state.timeZone).toBeNull();
  expect(countOf({ state, timeZone: "Asia/Tokyo" }, filter)).toEqual({
    ...{ table: "requests", from: "-3h", to: "now", timeZone: "Asia/Tokyo" },
    ...{ derive: [], filter, aggregates: [{ fn: "count" }] },
  });
});
