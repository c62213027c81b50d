import type { Facet } from "@hadal/sdk";
import { expect, test } from "vitest";
import { linesOf } from "./FacetValues.js";

test("a range beyond 2^53 becomes filters with all digits", () => {
  const range = (from: number | null, to: number | null) => ({
    ...{ from, to },
    ...{ rows: 1, count: 1, share: 0.5 },
  });
  const facet = {
    ...{ name: "id", type: "int", count: 2, fill: 1, values: null },
    ranges: [range(1e16, 2e16), range(5e18, 1e19)],
  } as unknown as Facet;
  expect(linesOf(facet).map(({ selection }) => selection.filters)).toEqual([
    [
      { column: "id", op: ">=", value: "10000000000000000" },
      { column: "id", op: "<", value: "20000000000000000" },
    ],
    [{ column: "id", op: ">=", value: "5000000000000000000" }],
  ]);
});
