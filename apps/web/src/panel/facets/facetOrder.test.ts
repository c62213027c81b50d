import type { ColumnInfo, Facet } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { columnsInUse, placedColumns } from "./facetOrder.js";

const column = (name: string): ColumnInfo => ({
  ...{ name, type: "string", decimals: 0, rows: 0, bytes: 0, compressionRatio: null },
});
const facet = (name: string, distinct: number | null, fill: number, topShare: number): Facet =>
  ({ name, distinct, fill, values: [{ share: topShare }] }) as unknown as Facet;

const columns = ["time", "id", "constant", "rare", "service", "country"].map(column);
const facets = new Map(
  [
    facet("id", null, 1, 0),
    facet("constant", 2, 1, 0.999),
    facet("rare", 5, 0.01, 0.2),
    facet("service", 8, 1, 0.3),
    facet("country", 40, 0.9, 0.3),
  ].map((one) => [one.name, one]),
);
const shown = (inUse: readonly string[], search = "") =>
  placedColumns(columns, new Set(inUse), facets, search).map(
    ({ column: { name }, section }) => `${name} ${section}`,
  );

describe("order of the columns", () => {
  test("columns of the query come first, then those that distinguish rows; never the time", () => {
    expect(shown(["rare", "country"])).toEqual([
      "rare in use",
      "country in use",
      "service interesting",
      "id others",
      "constant others",
    ]);
  });
  test("a search keeps the order", () => {
    expect(shown(["country"], " C")).toEqual([
      "country in use",
      "service interesting",
      "constant others",
    ]);
  });
  test("columns of every part of the query are in use", () => {
    const state: ExploreState = {
      ...initialState("t"),
      filters: [{ filter: { any: [{ column: "a", op: "is missing" }] }, off: true }],
      groupBy: ["b", { element: "c" }],
      aggregates: [
        { fn: "sum", column: "d" },
        { fn: "f", columns: ["e"] },
      ],
      derive: [{ as: "g", js: "" }],
    };
    expect([...columnsInUse(state)]).toEqual(["a", "b", "c", "d", "e", "g"]);
  });
});
