import type { Filter, Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { GroupCell } from "../../../chart/kit/answer/intent.js";
import { applyEdit } from "../../../draft/edit/edits.js";
import { emptyTitle, withoutFilters } from "../../../panel/answer/emptyAnswer.js";
import { answeredMark } from "../../../panel/draw/answeredMark.js";
import { choicesOf } from "../../../panel/menu/markChoices.js";
import { filterLabel } from "../../../query/filter/operators.js";
import { type FilterChip, initialState } from "../../../query/state/exploreState.js";
import { stepsOf } from "./steps.js";

describe("the rows of a mark are told by the question that was answered", () => {
  const query: Query = { table: "requests", from: "-3h", to: "now" };
  const filtersOf = (parts: Partial<Query>, ...group: GroupCell[]) => {
    const mark = { group, text: "", x: 0, y: 0 };
    return answeredMark(mark, { ...query, ...parts }).filters?.map(filterLabel);
  };
  test.each<[string, Partial<Query>, GroupCell, string[]]>([
    [
      "a raw row has a value, whatever ranges the form splits into",
      { sampleView: {} },
      { column: "latency_us", value: 1234 },
      ["latency_us = 1234"],
    ],
    [
      "a heatmap's numbers as a table",
      {
        groupBy: [
          { time: "1m" },
          { bucket: "latency_us", edges: [0, 10, 20], as: "bin of latency_us" },
        ],
      },
      { column: "bin of latency_us", value: 10 },
      ["latency_us ≥ 10", "latency_us < 20"],
    ],
    [
      "elements of a list that the form does not split by",
      { groupBy: [{ element: "features" }] },
      { column: "features", value: "beta" },
      ["features includes any beta"],
    ],
    [
      "a column under another name",
      { groupBy: [{ column: "service", as: "who" }] },
      { column: "who", value: null },
      ["service is missing"],
    ],
    [
      "a step of time",
      { groupBy: [{ time: "1m", as: "minute" }] },
      { column: "minute", value: 5 },
      [],
    ],
  ])("%s", (_, parts, cell, labels) => expect(filtersOf(parts, cell)).toEqual(labels));

  const list = { column: "tags", value: '["a","b"]', text: "a, b", list: ["a", "b"] };
  const service = { column: "service", value: "cart" };
  test("an empty list is asked for by name; of any other no filter asks for exactly its elements", () => {
    expect(filtersOf({ groupBy: ["tags"] }, { ...list, list: [] })).toEqual(["tags is empty"]);
    expect(filtersOf({ groupBy: ["tags", "service"] }, service, list)).toBeUndefined();
  });
  test("a mark whose rows no filter says asks for nothing, and says why", () => {
    const mark = { group: [service, list], text: "12", x: 0, y: 0 };
    const also: readonly Filter[] = [{ column: "latency_us", op: ">=", value: 10 }];
    const range = { fromMs: 0, toMs: 1 };
    const cut = answeredMark({ ...mark, also, range, rangeOf: range }, query);
    expect(choicesOf(cut, "table")).toEqual({
      label: "cart · a, b",
      selection: { filters: [], range: null },
      reason: "No filter asks for exactly this list. Its elements can be filtered by.",
      ...{ hasRows: false, hasFilters: false, canDiffer: false, canSeeRows: false },
    });
  });
  test("other marks are asked for by all that is known of them", () => {
    const range = { fromMs: 0, toMs: 1 };
    const mark = answeredMark({ group: [service], range, text: "12", x: 0, y: 0 }, query);
    expect(choicesOf(mark, "table")).toMatchObject({
      selection: { filters: [{ column: "service", op: "=", value: "cart" }], range },
      ...{ reason: null, hasRows: true, hasFilters: true, canDiffer: true, canSeeRows: true },
    });
    const times = answeredMark({ group: [], range, text: "", x: 0, y: 0 }, query);
    expect(choicesOf(times, "rows")).toMatchObject({
      ...{ hasRows: true, hasFilters: false, canDiffer: false, canSeeRows: false },
    });
    expect(choicesOf({ ...times, rangeOf: range }, "table").canDiffer).toBe(true);
    expect(choicesOf(null, "table")).toMatchObject({ reason: null, hasRows: false });
  });

  test("a mark that says what its rows are is left alone", () => {
    const filters: readonly Filter[] = [{ column: "a", op: "is present" }];
    const mark = { group: [{ column: "b", value: 1 }], filters, text: "", x: 0, y: 0 };
    expect(answeredMark(mark, query)).toEqual(mark);
  });
});

const chip = (column: string, how: Partial<FilterChip> = {}): FilterChip => ({
  filter: { column, op: "is present" },
  off: false,
  ...how,
});
const state = (...filters: FilterChip[]) => ({ ...initialState("requests"), filters });

describe("steps", () => {
  test("are the filters in force; what is laid aside goes with the step before it", () => {
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

describe("an empty answer", () => {
  test("says what there is nothing of", () => {
    expect(emptyTitle([], null)).toBe("No rows in this range");
    expect(emptyTitle([chip("a", { off: true })], null)).toBe("No rows in this range");
    expect(emptyTitle([chip("a")], null)).toBe("No rows match");
    expect(emptyTitle([], "latency_us")).toBe("No row in this range has a value in latency_us");
    expect(emptyTitle([chip("a")], "x")).toBe("No row that matches has a value in x");
  });

  test("its button leaves fewer filters in force, also where all are pinned", () => {
    expect(withoutFilters(state(chip("a", { off: true })))).toBeNull();
    const pinned = chip("b", { pinned: true });
    const some = state(chip("a"), pinned);
    const removed = withoutFilters(some);
    expect(removed?.label).toBe("Remove the filters");
    const left = applyEdit(some, removed!.edit);
    expect(left.filters).toEqual([pinned]);
    const aside = withoutFilters(left);
    expect(aside?.label).toBe("Lay the filters aside");
    expect(applyEdit(left, aside!.edit).filters).toEqual([{ ...pinned, off: true }]);
  });
});
