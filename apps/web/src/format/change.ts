import { toThreeDigits } from "./number.js";

/** Change from an earlier number: in percent, or only one of the two is present; null: neither is. */
export type Change = number | "new" | "gone" | null;

/** `+12.4 %`, `−3 %`, `±0 %`, `new`, `gone`. */
export function formatChange(percent: Change): string {
  if (percent === null) return "–";
  if (typeof percent === "string") return percent;
  if (percent === 0) return "±0 %";
  if (Math.abs(percent) < 0.05) return percent > 0 ? "+<0.1 %" : "−<0.1 %";
  // −100 % is written only if nothing is left.
  const size = percent < 0 && percent > -100 ? Math.min(99.9, -percent) : Math.abs(percent);
  const text =
    size >= 9_999.5 ? `${Math.round(size / 1000)} k` : toThreeDigits(Math.round(size * 10) / 10);
  return `${percent > 0 ? "+" : "−"}${text} %`;
}

/** A share of the whole: `12 %`, `0.3 %`, `<0.1 %`. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent === 0) return "0 %";
  if (percent < 0.1) return "<0.1 %";
  return `${percent < 10 ? trimZero(percent.toFixed(1)) : Math.round(percent)} %`;
}

/** Completeness rounds down: 100 % means all rows. */
export function formatCompleteness(fraction: number): string {
  if (fraction >= 1) return "100 %";
  const tenths = Math.floor(fraction * 1_000 + 1e-9) / 10;
  return `${trimZero(Math.min(99.9, tenths).toFixed(1))} %`;
}

const trimZero = (text: string): string => text.replace(/\.0$/, "");
