import { describe, expect, test } from "vitest";
import type { FilterChip } from "../../../query/state/exploreState.js";
import { stepsOf } from "./steps.js";

const chip = (column: string, how: Partial<FilterChip> = {}): FilterChip => ({
  filter: { column, op: "is present" },
  off: false,
  ...how,
});

describe("steps", () => {
  test("are the active filters; a filter that is turned off belongs to the step before it", () => {
    expect(
      stepsOf([chip("a", { off: true }), chip("b"), chip("c", { off: true }), chip("d")]),
    ).toEqual([
      { label: "all", count: 1 },
      { label: "b is present", count: 3 },
      { label: "d is present", count: 4 },
    ]);
    expect(stepsOf([])).toEqual([{ label: "all", count: 0 }]);
    expect(stepsOf([chip("a", { off: true })])).toEqual([{ label: "all", count: 1 }]);
  });
});
