import { expect, test } from "vitest";
import { gridStep } from "./gridStep.js";

const size = { rowCount: 3, columnCount: 2 };

test.each([
  ["ArrowDown", { row: 2, column: 0 }],
  ["ArrowUp", { row: 0, column: 0 }],
  ["ArrowRight", { row: 1, column: 1 }],
  ["ArrowLeft", { row: 1, column: 0 }],
])("%s moves one cell and stays within the grid", (key, place) => {
  expect(gridStep(key, { row: 1, column: 0 }, size)).toEqual(place);
});

test.each(["ArrowDown", "ArrowRight"])("%s in the last cell stays there", (key) => {
  const last = { row: 2, column: 1 };
  expect(gridStep(key, last, size)).toEqual(last);
});

test.each(["Enter", "Home", "constructor"])("%s is not a step", (key) => {
  expect(gridStep(key, { row: 0, column: 0 }, size)).toBeNull();
});
