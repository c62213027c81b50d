import { expect, test } from "vitest";
import { inputOf, resultOf } from "../../testing/answers.js";
import { boardsOf } from "./boardsOf.js";

test("boards are in the order of the query, with room for those that have not arrived", () => {
  const input = inputOf(resultOf(["count"], [[100]]));
  const extras = {
    "board __proto__": resultOf(["group __proto__", "count"], [["a", 60]], {
      truncated: { groups: 4 },
    }),
    "elements tags": resultOf(["group tags", "count"], [["beta", 5]], {
      final: false,
      completeness: {
        ...input.result.completeness,
        leaves: { answered: 0, total: 1, missing: ["leaf-1"] },
      },
    }),
    total: resultOf(["count"], [[1]]),
  };
  const names = ["board line\nbreak", "elements tags", "board __proto__", "total"];
  const boards = boardsOf(input, names, extras);
  expect(
    boards.map(({ column, isList, isOfWhole, valueCount, final, totals }) => [
      column,
      isList,
      isOfWhole,
      valueCount,
      final,
      totals?.map(({ label, values }) => [label, ...values]) ?? null,
    ]),
  ).toEqual([
    ["line\nbreak", false, false, 0, false, null],
    ["tags", true, false, 1, false, [["beta", 5]]],
    ["__proto__", false, true, 5, true, [["a", 60]]],
  ]);
});
