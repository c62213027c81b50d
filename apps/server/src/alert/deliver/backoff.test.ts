import { expect, test } from "vitest";
import { attemptsMax, pauseMs } from "./backoff.js";

const pauses = Array.from({ length: attemptsMax - 1 }, (_, i) => pauseMs(i + 1, 0.5));

test("pauses double from a second to a quarter of an hour", () => {
  expect(pauses.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
  expect(pauses.slice(9, 12)).toEqual([512_000, 900_000, 900_000]);
});

test("all of them are a day", () => {
  const hours = pauses.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
  expect(hours).toBeGreaterThanOrEqual(24);
  expect(hours).toBeLessThan(24.5);
});

test("they are spread, and a receiver's wish makes them longer, within bounds", () => {
  expect([pauseMs(1, 0), pauseMs(1, 0.999_999)]).toEqual([800, 1_200]);
  expect([pauseMs(1, 0.5, 7_000), pauseMs(9, 0.5, 7_000)]).toEqual([7_000, 256_000]);
  expect(pauseMs(1, 0.5, 1e12)).toBe(1_080_000);
});
