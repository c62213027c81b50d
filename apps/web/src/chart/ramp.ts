import type { ChartTheme } from "./theme.js";

type Rgb = readonly [number, number, number];

/** Enough that neighbours cannot be told apart. */
const rampSteps = 32;

/** One hue from almost the ground to the strongest: little to much. */
export function amountRamp(theme: ChartTheme, steps = rampSteps): string[] {
  const ground = rgbOf(theme.ground);
  const accent = rgbOf(theme.accent);
  const stops = [
    mix(ground, accent, 0.14),
    mix(ground, accent, 0.75),
    mix(accent, rgbOf(theme.ink), 0.55),
  ];
  return stepsAlong(stops, steps);
}

/** Less, neutral, more: blue to orange through the page's own grey. */
export function changeRamp(theme: ChartTheme, steps = rampSteps + 1): string[] {
  const neutral = mix(rgbOf(theme.ground), rgbOf(theme.quiet), 0.16);
  const [less, more] = [rgbOf(theme.less), rgbOf(theme.more)];
  return stepsAlong(
    [less, mix(neutral, less, 0.45), neutral, mix(neutral, more, 0.45), more],
    steps,
  );
}

/** A difference that may be none. */
export const noChangeColor = (theme: ChartTheme): string =>
  cssOf(mix(rgbOf(theme.ground), rgbOf(theme.quiet), 0.16));

/** 0 to 1 → an index of a ramp. */
export const rampIndex = (share: number, steps: number): number =>
  Math.max(0, Math.min(steps - 1, Math.round(share * (steps - 1))));

function stepsAlong(stops: readonly Rgb[], steps: number): string[] {
  return Array.from({ length: steps }, (_, i) => {
    const at = (i / Math.max(1, steps - 1)) * (stops.length - 1);
    const low = Math.min(stops.length - 2, Math.floor(at));
    return cssOf(mix(stops[low] ?? [0, 0, 0], stops[low + 1] ?? [0, 0, 0], at - low));
  });
}

/** `rgb(…)` as the browser computes it, or `#rrggbb`. */
function rgbOf(color: string): Rgb {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  const parts =
    hex !== null ? hex.slice(1).map((part) => Number.parseInt(part, 16)) : numbersIn(color);
  return [parts[0] ?? 128, parts[1] ?? 128, parts[2] ?? 128];
}

const numbersIn = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);

const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

const cssOf = (color: Rgb): string => `rgb(${color.map((part) => Math.round(part)).join(",")})`;
