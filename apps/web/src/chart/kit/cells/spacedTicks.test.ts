import { expect, test } from "vitest";
import { roomOfTexts, spacedTicks } from "./spacedTicks.js";

const ticks = [3, 0, 1, 2, 4].map((at) => ({ at, text: `${at}:00` }));
const shown = (cellPx: number, roomPx: number) =>
  spacedTicks(ticks, cellPx, roomPx).map(({ at }) => at);

test("texts that would touch are left out, the first never", () => {
  expect(shown(20, 13)).toEqual([0, 1, 2, 3, 4]);
  expect(shown(6, 13)).toEqual([0, 3]);
  expect(shown(1, 13)).toEqual([0]);
  expect(spacedTicks([], 1, 1)).toEqual([]);
});

test("the longest text decides how far apart they are", () => {
  expect(roomOfTexts(ticks)).toBeCloseTo(4 * 6.6 + 6);
});
