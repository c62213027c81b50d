import { HadalError } from "../../model/problem/problem.js";
import { durationMs, parseDuration } from "../../model/time/duration.js";
import { refuse } from "./sqlRefusal.js";

/** PostgreSQL's words for units, and the unit of a duration for each. */
const units: ReadonlyMap<string, string> = new Map(
  (
    [
      ["ms", "ms", "millisecond", "milliseconds"],
      ["s", "s", "sec", "secs", "second", "seconds"],
      ["m", "m", "min", "mins", "minute", "minutes"],
      ["h", "h", "hr", "hrs", "hour", "hours"],
      ["d", "d", "day", "days"],
      ["w", "w", "week", "weeks"],
      ["mo", "mo", "mon", "mons", "month", "months"],
      ["q", "q", "quarter", "quarters"],
      ["y", "y", "yr", "yrs", "year", "years"],
    ] as const
  ).flatMap(([unit, ...words]) => words.map((word) => [word, unit] as const)),
);

/** Units of a fixed length, longest first. */
const fixedUnits = ["w", "d", "h", "m", "s", "ms"] as const;

const wordOfUnit: ReadonlyMap<string, string> = new Map([
  ["ms", "millisecond"],
  ["s", "second"],
  ["m", "minute"],
  ["h", "hour"],
  ["d", "day"],
  ["w", "week"],
  ["mo", "month"],
  ["q", "quarter"],
  ["y", "year"],
]);

/**
 * `3 hours`, `90m`, `1 day 12 hours` as a duration of the model (`3h`, `90m`, `36h`). Refuses what
 * is none.
 */
export function readInterval(text: string, at: number): string {
  const [only, ...others] = lengthsOfInterval(text, at) as [string, ...string[]];
  return others.length === 0 ? only : addDurations([only, ...others], text, at);
}

/** The lengths that are written one after the other: `1 month 3 days` is `1mo` and `3d`. */
export function lengthsOfInterval(text: string, at: number): readonly string[] {
  const parts = [...text.matchAll(/\s*(\d{1,16})\s*([A-Za-z]+)\s*(?:,|\band\b)?/gy)];
  const readTo = parts.reduce((end, [part]) => end + part.length, 0);
  if (parts.length === 0 || readTo < text.trimEnd().length) return refuseInterval(text, at);
  return parts.map(([, count, word]) => {
    const unit = units.get(word!.toLowerCase());
    return unit === undefined ? refuseInterval(text, at) : `${count}${unit}`;
  });
}

/**
 * Several lengths as one, in the longest unit that divides it. Months and days do not add up to one
 * length.
 */
function addDurations(durations: readonly string[], text: string, at: number): string {
  let totalMs = 0;
  for (const duration of durations) {
    if (/[moqy]$/.test(duration) && !/\dm$/.test(duration)) return refuseInterval(text, at);
    totalMs += msOfDuration(duration, at);
  }
  return printMs(totalMs);
}

/** Milliseconds of a duration; a day is 24 hours here. */
export function msOfDuration(duration: string, at: number): number {
  try {
    return durationMs(parseDuration(duration));
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return refuse(at, "invalid-duration", error.message);
  }
}

/** `5400000` → `90m`. */
export function printMs(ms: number): string {
  for (const unit of fixedUnits) {
    const lengthMs = durationMs({ count: 1, unit });
    if (ms % lengthMs === 0 && ms > 0) return `${ms / lengthMs}${unit}`;
  }
  return `${ms}ms`;
}

/** A duration of the model in words that read back as the same: `3h` → `3 hours`. */
export function printInterval(duration: string): string {
  const match = /^([1-9]\d*)([a-z]+)$/.exec(duration);
  const word = wordOfUnit.get(match?.[2] ?? "");
  if (match === null || word === undefined) return duration;
  return `${match[1]} ${word}${match[1] === "1" ? "" : "s"}`;
}

function refuseInterval(text: string, at: number): never {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const detail = `'${shown}' is no length of time: write a number and a unit, such as '3 hours' or '7 days'.`;
  return refuse(at, "invalid-duration", detail);
}
