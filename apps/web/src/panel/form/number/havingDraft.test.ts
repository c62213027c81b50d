import { expect, test } from "vitest";
import { firstAggregate, readHaving } from "./havingDraft.js";

test.each([
  [" 10 ", 10],
  ["0.5", 0.5],
  ["9007199254740993", "9007199254740993"],
  ["cart", "cart"],
])("the text %j becomes the value %j", (text, value) =>
  expect(readHaving({ column: "count", op: ">", text })).toEqual({
    ok: true,
    condition: { column: "count", op: ">", value },
  }),
);

test("a comparison needs a value, a test for missing values has none", () => {
  expect(readHaving({ column: "count", op: ">", text: " " })).toMatchObject({ ok: false });
  expect(readHaving({ column: "count", op: "is missing", text: "5" })).toEqual({
    ok: true,
    condition: { column: "count", op: "is missing" },
  });
});

test("the default column is the first aggregate after the groups", () => {
  expect(firstAggregate(["service", "count", "p95"], 1)).toBe("count");
  expect(firstAggregate(["service"], 1)).toBe("service");
  expect(firstAggregate([], 0)).toBe("");
});
