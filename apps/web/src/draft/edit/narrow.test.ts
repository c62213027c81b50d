import type { Filter } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { filtersOfGroup, type GroupValue } from "../../query/filter/groupFilter.js";
import { filterLabel } from "../../query/filter/operators.js";
import {
  type CompareState,
  type ExploreState,
  initialState,
} from "../../query/state/exploreState.js";
import { applyEdit, type Edit, type Selection } from "./edits.js";

const start = initialState("requests");
const after = (...edits: Edit[]): ExploreState => edits.reduce(applyEdit, start);
const selected = (...group: GroupValue[]): Selection => ({
  filters: filtersOfGroup(group, []) ?? [],
  range: null,
});
const service = (value: string | null) => selected({ column: "service", value });
const only = (value: string | null): Edit => ({ kind: "only this", selection: service(value) });
const not = (value: string | null): Edit => ({ kind: "not this", selection: service(value) });
const labelsOf = ({ filters }: ExploreState) => filters.map((chip) => filterLabel(chip.filter));

describe("not this", () => {
  test("keeps the rows without a value, and collects the values of a column in one chip", () => {
    expect(after(not("cart")).filters).toEqual([
      {
        filter: {
          any: [
            { column: "service", op: "!=", value: "cart" },
            { column: "service", op: "is missing" },
          ],
        },
        off: false,
      },
    ]);
    expect(labelsOf(after(not("cart"), not("search"), not("search")))).toEqual([
      "service not in cart, search or missing",
    ]);
    expect(labelsOf(after(not(null)))).toEqual(["service is present"]);
  });

  test("a chip that leaves out rows without a value goes on doing so", () => {
    const written: Filter = { column: "service", op: "!=", value: "cart" };
    expect(labelsOf(after({ kind: "add filter", filter: written }, not("search")))).toEqual([
      "service not in cart, search",
    ]);
  });

  test("disabled chips and chips of other columns collect nothing", () => {
    const disable: Edit = { kind: "switch filter", index: 0, off: true };
    expect(labelsOf(after(not("cart"), disable, not("search")))).toEqual([
      "service ≠ cart or missing",
      "service ≠ search or missing",
    ]);
  });

  test("of several columns excludes their combination only", () => {
    const selection = selected(
      { column: "service", value: "cart" },
      { column: "status", value: 500 },
    );
    expect(labelsOf(after({ kind: "not this", selection }))).toEqual([
      "all but (service = cart and status = 500)",
    ]);
  });
});

describe("a comparison with other rows is narrowed on both sides", () => {
  const compared = (filter: readonly Filter[] | null): Edit => ({
    kind: "set compare",
    compare: { offset: "7d", filter },
  });
  const zone: Filter = { column: "zone", op: "=", value: 1 };
  const sideB = ({ compare }: ExploreState) => (compare as CompareState).filter?.map(filterLabel);

  test.each<[string, Edit, string]>([
    ["only this", only("cart"), "service = cart"],
    ["not this", not("cart"), "service ≠ cart or missing"],
  ])("%s", (_, edit, label) => {
    const state = after(compared([zone]), edit, edit);
    expect(labelsOf(state)).toEqual([label]);
    expect(sideB(state)).toEqual(["zone = 1", label]);
    expect(state.compare?.offset).toBe("7d");
    expect(sideB(after(compared([]), edit))).toEqual([label]);
  });

  test("each side collects excluded values in its own chip", () => {
    const state = after(compared([]), not("cart"), not("search"));
    expect(sideB(state)).toEqual(["service not in cart, search or missing"]);
    expect(labelsOf(state)).toEqual(sideB(state));
  });

  test("a side B of the same filters has no chips of its own", () => {
    expect(after(compared(null), only("cart")).compare).toEqual({ offset: "7d", filter: null });
  });

  test("what changes nothing on either side gives the same state", () => {
    const state = after(compared([zone]), only("cart"));
    expect(applyEdit(state, only("cart"))).toBe(state);
  });
});
