import { formatShare } from "./change.js";
import type { Numeric } from "./number.js";
import { formatMeasure, formatMeasureExact, type Measure } from "./value.js";

type ErrorBar = readonly [number, number] | null;

/** Whether the full answer is no less than the number, and may be more, by its error bar: leaves are missing. */
function isAtLeast(value: Numeric | null, bar: ErrorBar): boolean {
  if (bar === null || value === null) return false;
  const number = Number(value);
  return number !== 0 && number <= bar[0] && bar[0] < bar[1];
}

/** A number: `≥ 210 k` where the full answer is no less. */
export function formatBounded(
  value: Numeric | null,
  bar: ErrorBar,
  measure: Measure = {},
  format: typeof formatMeasure = formatMeasureExact,
): string {
  const isBound = value !== null && (measure.atLeast === true || isAtLeast(value, bar));
  return `${isBound ? "≥ " : ""}${format(value, measure)}`;
}

/** How far a number may be off, as a share of it: `±12 %`; beyond the number itself how far is no matter. */
export const formatError = (share: number): string =>
  share > 1 ? "over ±100 %" : `±${formatShare(share)}`;

/** How far a number may be off: `±1.2 %`, `about 430 k` where it can only be more, the range itself beside 0; empty without an error bar. */
export function formatErrorBar(
  value: Numeric | null,
  bar: ErrorBar,
  measure: Measure = {},
): string {
  if (bar === null || value === null) return "";
  const number = Number(value);
  const [low, high] = bar;
  if (low === high) return "";
  if (number === 0) return `${formatMeasure(low, measure)} to ${formatMeasure(high, measure)}`;
  if (isAtLeast(value, bar)) return `about ${formatMeasure((low + high) / 2, measure)}`;
  const [below, above] = [number - low, high - number].map((part) =>
    Math.max(0, part / Math.abs(number)),
  ) as [number, number];
  const alike = Math.abs(below - above) <= 0.25 * Math.max(below, above);
  if (alike) return `±${formatShare(Math.max(below, above))}`;
  return [above > 0 ? `+${formatShare(above)}` : "", below > 0 ? `−${formatShare(below)}` : ""]
    .filter((text) => text !== "")
    .join(" ");
}
