import { interpolateRgb, interpolateRgbBasis } from "d3-interpolate";
import { type Amount, asNumber } from "../answer/series.js";
import type { ChartTheme } from "./theme.js";

/** Colours for amounts and for differences, and the readable text colour on them. */
export interface Shades {
  /** One hue from little (0) to much (1). */
  readonly amount: (share: number) => string;
  /** Less (−1) over the same (0) to more (1); null: not known. */
  readonly difference: (tone: number | null) => string;
  /** The page's text or background colour if its contrast suffices, else black or white. */
  readonly inkOn: (color: string) => string;
}

/** Number of steps of a ramp: neighbours look alike. */
const rampSteps = 32;

/** WCAG 2.2 AA, for text. */
const textContrastMin = 4.5;

export function createShades(theme: ChartTheme): Shades {
  const { ground, ink, accent, hairline, less, more } = theme;
  const amounts = interpolateRgbBasis([
    interpolateRgb(ground, accent)(0.14),
    interpolateRgb(ground, accent)(0.72),
    interpolateRgb(accent, ink)(0.42),
  ]);
  const neutral = interpolateRgb(ground, hairline)(0.85);
  const [toLess, toMore] = [interpolateRgb(neutral, less), interpolateRgb(neutral, more)];
  return {
    amount: (share) => amounts(within(share, 0, 1)),
    difference: (tone) => {
      if (tone === null || tone === 0) return neutral;
      // The first step from "no change" must be visible.
      const strength = 0.1 + 0.9 * Math.min(1, Math.abs(tone));
      return tone < 0 ? toLess(strength) : toMore(strength);
    },
    inkOn: (color) => {
      const light = lightness(color);
      const against = (other: string) => contrast(light, lightness(other));
      const own = against(ink) >= against(ground) ? ink : ground;
      // On a medium colour neither has enough contrast; black or white always has.
      if (against(own) >= textContrastMin) return own;
      return against("#ffffff") >= against("#000000") ? "#ffffff" : "#000000";
    },
  };
}

interface Compared {
  readonly now: Amount;
  readonly was: Amount;
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
}

/**
 * Ratio of side A to side B: −1 half or less, 0 equal or within the error bars, 1 double or more, or
 * new. null: neither side has any.
 */
export function toneOf(sides: Compared): number | null {
  const [now, before] = [asNumber(sides.now) ?? 0, asNumber(sides.was) ?? 0];
  if (now === before) return sides.now === null && sides.was === null ? null : 0;
  if (sides.unsure) return 0;
  if (now > 0 && before > 0) return within(Math.log2(now / before), -1, 1);
  if (before === 0) return Math.sign(now);
  return within((now - before) / Math.abs(before), -1, 1);
}

/** One hue from near the background colour (small) to the strongest (large). */
export function amountRamp(theme: ChartTheme, steps = rampSteps): string[] {
  const { amount } = createShades(theme);
  return Array.from({ length: steps }, (_, i) => amount(i / (steps - 1)));
}

/** Less, equal, more: blue, the page's grey, orange. */
export function changeRamp(theme: ChartTheme, steps = rampSteps + 1): string[] {
  const { difference } = createShades(theme);
  return Array.from({ length: steps }, (_, i) => difference((i / (steps - 1)) * 2 - 1));
}

/** A difference within the error bars. */
export const noChangeColor = (theme: ChartTheme): string => createShades(theme).difference(0);

/** 0 to 1 → an index of a ramp. */
export const rampIndex = (share: number, steps: number): number =>
  Math.max(0, Math.min(steps - 1, Math.round(share * (steps - 1))));

const within = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** From 1, the same, to 21, black on white. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Relative luminance as WCAG defines it, of `rgb(…)` or `#rrggbb`. */
function lightness(color: string): number {
  const parts = color.startsWith("#")
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
