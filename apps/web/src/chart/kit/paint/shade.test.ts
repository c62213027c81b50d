import { describe, expect, test } from "vitest";
import { testTheme } from "../../testing/answers.js";
import { createShades, toneOf } from "./shade.js";
import type { ChartTheme } from "./theme.js";

const theme: ChartTheme = {
  ...testTheme,
  ink: "rgb(22, 32, 42)",
  ground: "#ffffff",
  accent: "#0f6e84",
  less: "#1f6fb2",
  more: "#b4560a",
};

describe("how side A stands to side B", () => {
  test.each([
    [8, 4, false, 1],
    [100, 1, false, 1],
    [4, 8, false, -1],
    [4, 4, false, 0],
    [6, 4, true, 0],
    [5, 0, false, 1],
    [5, null, false, 1],
    [0, 5, false, -1],
    [0, 0, false, 0],
    [null, null, false, null],
    [-5, 0, false, -1],
    [-5, -10, false, 0.5],
    ["9223372036854775807", 2n ** 62n, false, 1],
  ] as const)("%s against %s (unsure %s) is %s", (value, base, unsure, tone) => {
    const found = toneOf({ now: value, was: base, unsure });
    if (tone === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(tone, 9);
  });
});

describe("shades", () => {
  const shades = createShades(theme);
  test("differences are neutral in the middle and the tokens at the ends", () => {
    expect(shades.difference(0)).toBe(shades.difference(null));
    expect(shades.difference(-1)).toBe("rgb(31, 111, 178)");
    expect(shades.difference(1)).toBe("rgb(180, 86, 10)");
  });
  test("text can be read on every colour, in the page's dark look too", () => {
    const dark = { ...theme, ink: "#e6edf3", ground: "#0e151c", hairline: "#263341" };
    const bright = { accent: "#4fb3c8", less: "#6db3ef", more: "#f0a35c" };
    for (const { amount, difference, inkOn } of [shades, createShades({ ...dark, ...bright })]) {
      for (let step = 0; step <= 40; step++) {
        for (const color of [amount(step / 40), difference(step / 20 - 1)]) {
          expect(contrastOf(color, inkOn(color))).toBeGreaterThanOrEqual(4.5);
        }
      }
    }
  });
  test("more is darker, and the ink on it can be read", () => {
    const colors = [0, 0.5, 1].map(shades.amount);
    const brightness = colors.map((color) =>
      (color.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0),
    );
    expect(brightness).toEqual([...brightness].sort((a, b) => b - a));
    expect([0, 1].map((share) => shades.inkOn(shades.amount(share)))).toEqual([
      theme.ink,
      theme.ground,
    ]);
  });
});

/** As WCAG 2.2 defines it. */
function contrastOf(a: string, b: string): number {
  const [low = 0, high = 0] = [a, b].map(luminanceOf).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminanceOf(color: string): number {
  const hex = /^#(..)(..)(..)$/
    .exec(color)
    ?.slice(1)
    .map((part) => Number.parseInt(part, 16));
  const [red = 0, green = 0, blue = 0] = (hex ?? (color.match(/\d+/g) ?? []).map(Number)).map(
    (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4),
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
