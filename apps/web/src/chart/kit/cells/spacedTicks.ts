import type { BinTick } from "./binScale.js";

/** The ticks of an axis whose texts have room; the first always has. */
export function spacedTicks(
  ticks: readonly BinTick[],
  cellPx: number,
  roomPx: number,
): readonly BinTick[] {
  const shown: BinTick[] = [];
  for (const tick of [...ticks].sort((a, b) => a.at - b.at)) {
    const last = shown.at(-1);
    if (last === undefined || (tick.at - last.at) * cellPx >= roomPx) shown.push(tick);
  }
  return shown;
}

const letterPx = 6.6;

/** Of texts beside each other. */
export const roomOfTexts = (ticks: readonly BinTick[]): number =>
  ticks.reduce((most, { text }) => Math.max(most, [...text].length), 0) * letterPx + 6;

/** Of texts over each other. */
export const roomOfLines = 13;
