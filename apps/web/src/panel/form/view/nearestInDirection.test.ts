import { expect, test } from "vitest";
import { arrowSteps, nearestInDirection } from "./nearestInDirection.js";

// Two rows of three entries, then a row with one.
const places = [
  ...[0, 100, 200].map((left) => ({ left, top: 0 })),
  ...[0, 100, 200].map((left) => ({ left, top: 50 })),
  { left: 0, top: 100 },
];

test.each([
  [1, "ArrowLeft", 0],
  [1, "ArrowRight", 2],
  [1, "ArrowDown", 4],
  [4, "ArrowUp", 1],
  [5, "ArrowDown", 6],
  [2, "ArrowRight", null],
  [0, "ArrowUp", null],
])("from entry %i %s leads to %j", (index, key, expected) => {
  const [from, step] = [places[index], arrowSteps[key]];
  if (from === undefined || step === undefined) throw new Error("no such entry or key");
  expect(nearestInDirection(places, from, step)).toBe(expected);
});
