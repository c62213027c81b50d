import { morePx } from "../../kit/picture/writeMore.js";

/** How many of these bars are drawn: where not all have room, a line below counts the others. */
export function barsWithin(
  count: number,
  barsIn: (px: number) => number,
  heightPx: number,
): number {
  if (count <= barsIn(heightPx)) return count;
  return Math.min(count, Math.max(1, barsIn(heightPx - morePx)));
}
