import fc from "fast-check";
import { expect, test } from "vitest";
import { firingsInWords, linePath, replayScale } from "./replaySeries.js";

const range = { fromMs: 0, toMs: 1_000 };
const size = { width: 500, height: 150 };

test("a line that is dragged has the value that is under it, to a pixel", () => {
  const number = fc.integer({ min: -1e9, max: 1e9 }).map((thousandths) => thousandths / 1_000);
  fc.assert(
    fc.property(number, number, fc.integer({ min: 0, max: size.height }), (a, b, pixel) => {
      const ends = { highest: Math.max(a, b), lowest: Math.min(a, b) };
      const scale = replayScale(ends, null, range, size);
      expect(Math.abs(scale.y(scale.valueAt(pixel)) - pixel)).toBeLessThanOrEqual(0.6);
      expect(scale.y(ends.highest)).toBeGreaterThanOrEqual(0);
      expect(scale.y(ends.lowest)).toBeLessThanOrEqual(size.height + 1e-6);
    }),
  );
});

test("a bound beyond all values is on the chart", () => {
  const scale = replayScale({ highest: 10, lowest: 2 }, 500, range, size);
  expect(scale.y(500)).toBeGreaterThan(0);
  expect(scale.y(0)).toBe(size.height);
});

test("a window without a value is a gap in the line", () => {
  const scale = replayScale({ highest: 1, lowest: 1 }, null, range, size);
  const points = [0, 100, 300].map((timeMs) => ({ timeMs, value: 1 }));
  expect(linePath(points, 100, scale).replace(/[\d.,]+/g, "")).toBe("MLM");
});

test.each([
  [0, 0, "It would not have fired in the last 7 days."],
  [1, 0, "It would have fired once in the last 7 days."],
  [3, 0, "It would have fired 3 times in the last 7 days."],
])("%i firings, of which %i are held back", (sent, held, words) => {
  const one = { fromMs: 0, toMs: 1, value: 1 };
  const firings = [
    ...Array.from({ length: sent }, () => one),
    ...Array.from({ length: held }, () => ({ ...one, heldBack: "incomplete" })),
  ];
  expect(firingsInWords(firings)).toBe(words);
});

test("what is held back is not counted among what would have been sent", () => {
  const held = { fromMs: 0, toMs: 1, value: 1, heldBack: "within its error bars" };
  expect(firingsInWords([held, held])).toContain(
    "It would not have fired in the last 7 days, and 2 times",
  );
});
