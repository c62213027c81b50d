import { formatShare } from "./change.js";
import type { Numeric } from "./number.js";
import { formatMeasure, formatMeasureExact, type Measure } from "./value.js";

/** A number: `≥ 210 k` where rows are missing and it is a lower bound. */
export function formatBounded(
  value: Numeric | null,
  measure: Measure = {},
  format: typeof formatMeasure = formatMeasureExact,
): string {
  const isBound = value !== null && measure.shareOfRows !== undefined;
  return `${isBound ? "≥ " : ""}${format(value, measure)}`;
}

/** An estimate for all rows from the rows that answered: `about 430 k`. */
function formatWhole(value: number, [low, high]: readonly [number, number], measure: Measure) {
  const whole = value / (measure.shareOfRows ?? 1);
  return `about ${formatMeasure(Math.min(high, Math.max(low, whole)), measure)}`;
}

/** A relative error: `±12 %`; above 100 % only that it is larger. */
export const formatError = (share: number): string =>
  share > 1 ? "over ±100 %" : `±${formatShare(share)}`;

/**
 * Error bar of a number: `±1.2 %`, `+12 %` where it can only be larger, `about 430 k` where rows are missing.
 * For 0 it is the range itself; without an error bar it is empty.
 */
export function formatErrorBar(
  value: Numeric | null,
  bar: readonly [number, number] | null,
  measure: Measure = {},
): string {
  if (bar === null || value === null) return "";
  const number = Number(value);
  const [low, high] = bar;
  if (low === high) return "";
  if (number !== 0 && measure.shareOfRows !== undefined) return formatWhole(number, bar, measure);
  if (number === 0) return `${formatMeasure(low, measure)} to ${formatMeasure(high, measure)}`;
  const [below, above] = [number - low, high - number].map((part) =>
    Math.max(0, part / Math.abs(number)),
  ) as [number, number];
  // Above 100 % the range says more than the relative error.
  if (Math.max(below, above) > 1) {
    return `${formatMeasure(low, measure)} to ${formatMeasure(high, measure)}`;
  }
  const alike = Math.abs(below - above) <= 0.25 * Math.max(below, above);
  if (alike) return `±${formatShare(Math.max(below, above))}`;
  return [above > 0 ? `+${formatShare(above)}` : "", below > 0 ? `−${formatShare(below)}` : ""]
    .filter((text) => text !== "")
    .join(" ");
}
