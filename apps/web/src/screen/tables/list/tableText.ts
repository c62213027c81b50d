import type { Retention, VisibleTimes } from "@hadal/sdk";
import { formatAgo, formatLength } from "../../../format/ago.js";
import { formatMs } from "../../../format/duration.js";
import { formatCompact } from "../../../format/number.js";
import { formatBytes } from "../../../format/value.js";

/** Rows per second; `…` while unknown. */
export const rateText = (rate: number | null): string =>
  rate === null
    ? "…"
    : rate === 0
      ? "–"
      : `${formatCompact(rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate))} /s`;

export function lagText(lagMs: number | null): string {
  if (lagMs === null) return "–";
  // A row may be in the future, or the clocks differ: both are shown.
  if (lagMs < -60_000) return `in ${formatAgo(-lagMs)}`;
  return lagMs < 1_000 ? "now" : `${formatAgo(lagMs)} ago`;
}

/** `7 days`, `2 GiB`, `7 days, 2 GiB`, `while there is room`. */
export function keptText({ maxAgeMs, maxBytes }: Retention): string {
  const parts = [
    ...(maxAgeMs === null ? [] : [formatLength(maxAgeMs)]),
    ...(maxBytes === null ? [] : [formatBytes(maxBytes)]),
  ];
  return parts.length === 0 ? "while there is room" : parts.join(", ");
}

/** `420 ms · 1.3 s`: half of the rows, and 99 of 100. */
export function visibleText(visible: VisibleTimes | undefined): string {
  if (visible === undefined) return "–";
  const { p50Ms, p99Ms } = visible;
  return p50Ms === null || p99Ms === null ? "not found" : `${formatMs(p50Ms)} · ${formatMs(p99Ms)}`;
}

export function samplesText({ samples, unseen }: VisibleTimes): string {
  const found = `the latest ${samples} sampled ${samples === 1 ? "row" : "rows"}`;
  return unseen === 0 ? found : `${found}; ${unseen} were not found within a minute`;
}
