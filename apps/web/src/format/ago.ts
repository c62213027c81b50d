import { toThreeDigits } from "./number.js";

/** How long ago: `now`, `12 s`, `5 min`, `3 h`, `2 d`. Whole units: a number that flickers is not read. */
export function formatAgo(ms: number): string {
  const seconds = ms / 1_000;
  if (seconds < 1) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
/** A length of time as people set it: `7 days`, `36 hours`, `90 minutes`. */
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
