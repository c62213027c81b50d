import { expect, test } from "vitest";
import { joinTokens, splitTyped } from "./filterTokens.js";

test("a pasted list is split into values, the text of a pattern is not", () => {
  expect(splitTyped("DE, FR", "in")).toEqual(["DE", "FR"]);
  expect(splitTyped("a{1,2}", "~")).toEqual(["a{1,2}"]);
  expect(splitTyped("first, second", "contains")).toEqual(["first, second"]);
});

test("a list has each value once, a sequence keeps repeats", () => {
  expect(joinTokens(["a", "b"], ["b", "c"], "in")).toEqual(["a", "b", "c"]);
  expect(joinTokens(["a", "b"], ["b"], "contains sequence")).toEqual(["a", "b", "b"]);
});
