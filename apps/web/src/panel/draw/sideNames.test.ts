import type { Filter } from "@hadal/sdk";
import { expect, test } from "vitest";
import { notOf } from "../../query/filter/groupFilter.js";
import { type CompareState, initialState } from "../../query/state/exploreState.js";
import { sideNames } from "./sideNames.js";

const is = (column: string, value: string): Filter => ({ column, op: "=", value });
const errors: Filter = { column: "status", op: ">=", value: 500 };
const namesOf = (compare: CompareState | null, filters: readonly Filter[] = [], to = "now") => {
  const chips = filters.map((filter) => ({ filter, off: false }));
  const disabled = { filter: is("service", "web"), off: true };
  const { a, b } = sideNames({ ...initialState("t"), to, compare, filters: [...chips, disabled] });
  return [a, b];
};

test.each<[string, ReturnType<typeof namesOf>, readonly string[]]>([
  ["a time before", namesOf({ offset: "1w", filter: null }), ["now", "1 week earlier"]],
  [
    "the period before times that are over",
    namesOf({ offset: "previous", filter: null }, [], "2026-11-21T10:00:00Z"),
    ["these times", "the period before"],
  ],
  [
    "two values of a column",
    namesOf({ offset: null, filter: [errors, is("country", "IN")] }, [errors, is("country", "DE")]),
    ["DE", "IN"],
  ],
  [
    "all others",
    namesOf({ offset: null, filter: [notOf([is("service", "cart")])] }, [is("service", "cart")]),
    ["service = cart", "all others"],
  ],
  ["all rows", namesOf({ offset: null, filter: [] }, [errors]), ["status ≥ 500", "all rows"]],
  [
    "other rows, earlier",
    namesOf({ offset: "1d", filter: [is("country", "IN")] }, [is("country", "DE")]),
    ["DE, now", "IN, 1 day earlier"],
  ],
])("%s", (_, names, expected) => expect(names).toEqual(expected));
