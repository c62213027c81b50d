import { createShades } from "./shade.js";
import type { ChartTheme } from "./theme.js";

/** Enough that neighbours cannot be told apart. */
const rampSteps = 32;

/** One hue from almost the ground to the strongest: little to much. */
export function amountRamp(theme: ChartTheme, steps = rampSteps): string[] {
  const { amount } = createShades(theme);
  return Array.from({ length: steps }, (_, i) => amount(i / (steps - 1)));
}

/** Less, neutral, more: blue to orange through the page's own grey. */
export function changeRamp(theme: ChartTheme, steps = rampSteps + 1): string[] {
  const { difference } = createShades(theme);
  return Array.from({ length: steps }, (_, i) => difference((i / (steps - 1)) * 2 - 1));
}

/** A difference that may be none. */
export const noChangeColor = (theme: ChartTheme): string => createShades(theme).difference(0);

/** 0 to 1 → an index of a ramp. */
export const rampIndex = (share: number, steps: number): number =>
  Math.max(0, Math.min(steps - 1, Math.round(share * (steps - 1))));
