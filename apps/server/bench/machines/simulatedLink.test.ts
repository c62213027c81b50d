import { expect, test } from "vitest";
import { windowLimitsDefault } from "../../src/tree/window/requestWindow.js";
import { linkDefault, simulateLink } from "./simulatedLink.js";

const settings = { ...linkDefault, queries: 60 };
const fixed = (size: number) => simulateLink({ floor: size, max: size }, settings);

test("M14: too small a window is slow, too large a one loses answers", () => {
  const [small, good, large] = [fixed(4), fixed(64), fixed(200)];
  expect(small.lostPercent).toBe(0);
  expect(small.medianMs).toBeGreaterThan(4 * good.medianMs);
  expect(good.lostPercent).toBeLessThan(0.1);
  expect(large.lostPercent).toBeGreaterThan(5);
  expect(large.medianMs).toBeGreaterThan(4 * good.medianMs);
});

test("M14: the sliding window finds the size by itself", () => {
  const sliding = simulateLink(windowLimitsDefault, settings);
  expect(sliding.lostPercent).toBeLessThan(2);
  expect(sliding.medianMs).toBeLessThan(1.5 * fixed(64).medianMs);
  expect(sliding.meanWindow).toBeGreaterThan(16);
  expect(sliding.meanWindow).toBeLessThan(128);
});

test("the same seed gives the same figures", () => {
  expect(fixed(48)).toEqual(fixed(48));
});
