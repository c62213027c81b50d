import { toThreeDigits } from "./number.js";

/** Time since: `now`, `12 s`, `5 min`, `3 h`, `2 d`, in whole units, so that it does not flicker. */
export function formatAgo(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 1) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
/** A duration in its largest exact unit: `7 days`, `36 hours`, `90 minutes`. */
export function formatLength(ms: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
  ] as const;
  const [unitMs, name] = units.find(([size]) => ms % size === 0) ?? [1_000, "second"];
  const count = ms / unitMs;
  return `${Number.isInteger(count) ? count : toThreeDigits(count)} ${name}${count === 1 ? "" : "s"}`;
}

/** `12 min ago`, `now`. */
export function agoInWords(timeMs: number, nowMs: number = Date.now()): string {
  const ago = formatAgo(nowMs - timeMs);
  return ago === "now" ? ago : `${ago} ago`;
}
