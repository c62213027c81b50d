import type { Filter, Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { GroupCell } from "../../chart/kit/answer/intent.js";
import { filterLabel } from "../../query/filter/operators.js";
import { answeredMark } from "../draw/answeredMark.js";
import { choicesOf } from "./markChoices.js";

describe("the filters of a mark come from the query of its result", () => {
  const query: Query = { table: "requests", from: "-3h", to: "now" };
  const filtersOf = (parts: Partial<Query>, ...group: GroupCell[]) => {
    const mark = { group, text: "", x: 0, y: 0 };
    return answeredMark(mark, { ...query, ...parts }).filters?.map(filterLabel);
  };
  test.each<[string, Partial<Query>, GroupCell, string[]]>([
    [
      "a value of a raw row, whatever ranges the form groups into",
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
      "an element of a list that the form does not group by",
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
  test("an empty list has a filter; no filter matches exactly the elements of another list", () => {
    expect(filtersOf({ groupBy: ["tags"] }, { ...list, list: [] })).toEqual(["tags is empty"]);
    expect(filtersOf({ groupBy: ["tags", "service"] }, service, list)).toBeUndefined();
  });
  test("a mark that no filter can match offers nothing, and gives the reason", () => {
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
  test("other marks are filtered by their groups and their range", () => {
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

  test("a mark with filters stays as it is", () => {
    const filters: readonly Filter[] = [{ column: "a", op: "is present" }];
    const mark = { group: [{ column: "b", value: 1 }], filters, text: "", x: 0, y: 0 };
    expect(answeredMark(mark, query)).toEqual(mark);
  });
});
