import type { ColumnInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { type ExploreState, initialState } from "../../../query/state/exploreState.js";
import { barOfBoard, lastWeek } from "./barState.js";
import { tileUnderBar } from "./tileUnderBar.js";

const column = (name: string, type: ColumnInfo["type"]): ColumnInfo => ({
  ...{ name, type, decimals: 0, rows: 0, bytes: 0, compressionRatio: null },
});
const columns = [column("service", "string"), column("tags", "set")];
const variables = [
  { name: "service", table: "requests", column: "service" },
  { name: "tag", table: "requests", column: "tags" },
  { name: "city", table: "requests", column: "city" },
];
const country = { column: "country", op: "=", value: "DE" } as const;
const bar = {
  ...barOfBoard({ from: "-24h", to: "now", filter: [country], variables }),
  ...{ live: true, timeZone: "UTC", compare: lastWeek },
  variables: [
    { name: "service", values: ["cart", "auth"] },
    { name: "tag", values: ["beta"] },
    { name: "city", values: null },
  ],
};
const own = { ...initialState("requests"), from: "-1h" };

test("the bar applies, as far as the table has its columns", () => {
  const { state, lacking } = tileUnderBar(own, { bar, variables, columns, ignores: [] });
  expect(state).toMatchObject({ from: "-24h", live: true, timeZone: "UTC", compare: lastWeek });
  expect(state.filters.map(({ filter }) => filter)).toEqual([
    { column: "service", op: "in", value: ["cart", "auth"] },
    { column: "tags", op: "includes any", value: ["beta"] },
  ]);
  expect(lacking).toEqual(["country"]);
});

test("a tile refuses parts of the bar", () => {
  const ignores = ["time", "compare", "timeZone", "live", "filter", "variables"] as const;
  expect(tileUnderBar(own, { bar, variables, columns, ignores })).toEqual({
    state: own,
    ...{ lacking: [], faults: { unknown: [], misplaced: [] } },
  });
});

test("without a comparison of the board a tile keeps its own", () => {
  const compared = { ...own, compare: { offset: "1d", filter: null } };
  const under = { bar: { ...bar, compare: null }, variables, columns, ignores: [] };
  expect(tileUnderBar(compared, under).state.compare).toEqual(compared.compare);
});

test("a variable that the tile's own filters name is used there alone", () => {
  const chip = (value: string) => ({
    ...{ filter: { column: "service", op: "!=" as const, value }, off: false },
  });
  const named = { ...own, filters: [chip("$service"), chip("$city"), chip("$typo")] };
  const { state, faults } = tileUnderBar(named, { bar, variables, columns, ignores: [] });
  expect(state.filters.map(({ filter }) => filter)).toEqual([
    { column: "service", op: "not in", value: ["cart", "auth"] },
    { column: "service", op: "not in", value: [] },
    { column: "tags", op: "includes any", value: ["beta"] },
  ]);
  expect(faults).toEqual({ unknown: ["typo"], misplaced: [] });
});

test("values have no place outside filters: there a variable's name is a fault", () => {
  const where = { column: "service", op: "=", value: "$service" } as const;
  const misplaced = (part: Partial<ExploreState>) =>
    tileUnderBar({ ...own, ...part }, { bar, variables, columns, ignores: [] }).faults.misplaced;
  expect(misplaced({ aggregates: [{ fn: "count", where }] })).toEqual(["service"]);
  expect(misplaced({ having: [{ column: "service", op: "=", value: "$tag" }] })).toEqual(["tag"]);
  const expression = { fn: "=", args: [{ column: "service" }, { value: "$city" }] } as const;
  expect(misplaced({ derive: [{ as: "is it", expression }] })).toEqual(["city"]);
  expect(misplaced({ derive: [{ as: "is it", js: '(row) => row.a === "$city"' }] })).toEqual([]);
  expect(misplaced({ having: [{ column: "service", op: "=", value: "$5" }] })).toEqual([]);
});
