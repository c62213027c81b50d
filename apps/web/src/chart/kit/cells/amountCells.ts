import { type Amount, asNumber } from "../answer/series.js";
import { amountRamp, changeRamp, noChangeColor, rampIndex } from "../paint/shade.js";
import type { ChartTheme } from "../paint/theme.js";

/** An amount per cell, row by row from the top. */
export interface AmountCells {
  readonly amounts: readonly Amount[];
  /** Side B; null: no comparison. */
  readonly compare: readonly Amount[] | null;
  /** 1: the difference lies within the error bars. */
  readonly unclear: Uint8Array;
}

export interface AmountLook {
  readonly theme: ChartTheme;
  readonly isLog: boolean;
  /** Largest amount (with a comparison: difference) shown so far: it never falls while parts arrive. */
  readonly ceiling: number;
}

/** The amount with the strongest colour. */
export function ceilingOf(cells: AmountCells): number {
  let most = 0;
  for (let at = 0; at < cells.amounts.length; at++)
    most = Math.max(most, Math.abs(sizeAt(cells, at)));
  return most;
}

/** On a linear scale a few cells with most of the total would leave all others pale. */
export function isSkewed(cells: AmountCells, ceiling: number): boolean {
  const sizes: number[] = [];
  // A sample of a thousand cells is enough for the median.
  const step = Math.max(1, Math.floor(cells.amounts.length / 1_000));
  for (let at = 0; at < cells.amounts.length; at += step) {
    const size = Math.abs(sizeAt(cells, at));
    if (size > 0) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  return ceiling > 30 * (sizes[sizes.length >> 1] ?? ceiling);
}

/** Whether colours show both sides of 0: for differences, and for amounts of which some are negative. */
export const isTwoSided = ({ amounts, compare }: AmountCells): boolean =>
  compare !== null || amounts.some((amount) => (asNumber(amount) ?? 0) < 0);

/** Palette index per cell: the amount, or with a comparison the difference. */
export function cellColors(amountCells: AmountCells, look: AmountLook) {
  const { theme } = look;
  const { amounts, compare, unclear } = amountCells;
  const twoSided = isTwoSided(amountCells);
  const palette = twoSided ? [...changeRamp(theme), noChangeColor(theme)] : amountRamp(theme);
  const cells = new Uint8Array(amounts.length);
  amounts.forEach((amount, at) => {
    if (amount === null && (compare?.[at] ?? null) === null) return;
    const size = sizeAt(amountCells, at);
    if (compare === null && size === 0) return;
    if (!twoSided) {
      cells[at] = rampIndex(shareOf(size, look), palette.length) + 1;
      return;
    }
    if (unclear[at] === 1) {
      cells[at] = palette.length;
      return;
    }
    const share = Math.sign(size) * shareOf(size, look);
    cells[at] = rampIndex((share + 1) / 2, palette.length - 1) + 1;
  });
  return { cells, palette };
}

/** 0 to 1; any amount above 0 has a share above 0. */
export function shareOf(
  amount: number,
  { ceiling, isLog }: Pick<AmountLook, "ceiling" | "isLog">,
): number {
  const size = Math.abs(amount);
  if (!(ceiling > 0) || size === 0) return 0;
  const share = isLog ? Math.log1p(size) / Math.log1p(ceiling) : size / ceiling;
  return Math.min(1, share);
}

/** The number behind a cell's colour: its amount, or with a comparison the difference. */
const sizeAt = ({ amounts, compare }: AmountCells, at: number): number => {
  const own = asNumber(amounts[at] ?? null) ?? 0;
  return compare === null ? own : own - (asNumber(compare[at] ?? null) ?? 0);
};
