import { describe, expect, test } from "vitest";
import { applyEdit } from "../../draft/edit/edits.js";
import { type FilterChip, initialState } from "../../query/state/exploreState.js";
import { emptyTitle, withoutFilters } from "./emptyAnswer.js";

const chip = (column: string, how: Partial<FilterChip> = {}): FilterChip => ({
  filter: { column, op: "is present" },
  off: false,
  ...how,
});
const state = (...filters: FilterChip[]) => ({ ...initialState("requests"), filters });

describe("an empty answer", () => {
  test("names what was not found", () => {
    expect(emptyTitle([], null)).toBe("No rows in this range");
    expect(emptyTitle([chip("a", { off: true })], null)).toBe("No rows in this range");
    expect(emptyTitle([chip("a")], null)).toBe("No rows match");
    expect(emptyTitle([], "latency_us")).toBe("No row in this range has a value in latency_us");
    expect(emptyTitle([chip("a")], "x")).toBe("No row that matches has a value in x");
  });

  test("its button leaves fewer active filters, even when all are pinned", () => {
    expect(withoutFilters(state(chip("a", { off: true })))).toBeNull();
    const pinned = chip("b", { pinned: true });
    const some = state(chip("a"), pinned);
    const removed = withoutFilters(some);
    expect(removed?.label).toBe("Remove the filters");
    const left = applyEdit(some, removed!.edit);
    expect(left.filters).toEqual([pinned]);
    const suggestion = withoutFilters(left);
    expect(suggestion?.label).toBe("Disable the filters");
    expect(applyEdit(left, suggestion!.edit).filters).toEqual([{ ...pinned, off: true }]);
  });
});
