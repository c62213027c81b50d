import { describe, expect, test } from "vitest";
import type { FilterChip } from "../../../query/state/exploreState.js";
import { compareWith, valuesText } from "./filterReuse.js";

const chip = (value: string, off = false): FilterChip => ({
  filter: { column: "country", op: "=", value },
  off,
});

describe("a filter on side B", () => {
  const [de, fr, off] = [chip("DE"), chip("FR"), chip("IT", true)];
  test("copies the active filters, and this one even if it is off", () => {
    const state = { compare: null, filters: [de, fr, off] };
    expect(compareWith(state, de)).toEqual({ offset: null, filter: [de.filter, fr.filter] });
    expect(compareWith(state, off)).toEqual({
      offset: null,
      filter: [de.filter, fr.filter, off.filter],
    });
  });
  test("is added to the filters of side B, and the offset stays", () => {
    const compare = { offset: "7d", filter: [fr.filter] };
    expect(compareWith({ compare, filters: [de] }, de)).toEqual({
      offset: "7d",
      filter: [fr.filter, de.filter],
    });
  });
});

test("the copied text of a filter is its values, or its label", () => {
  expect(valuesText({ column: "country", op: "in", value: ["DE", "FR"] })).toBe("DE\nFR");
  expect(valuesText({ column: "country", op: "is missing" })).toBe("country is missing");
});
