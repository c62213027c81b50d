import { invalidTime, quoted, timeMsMax } from "./invalidTime.js";

export type DurationUnit = "ms" | "s" | "m" | "h" | "d" | "w";

/**
 * A length of time as written: days and weeks may mean calendar days where a time zone is at hand.
 */
export interface Duration {
  readonly count: number;
  readonly unit: DurationUnit;
}

const unitMs: Readonly<Record<DurationUnit, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

export const durationUnits = Object.keys(unitMs) as readonly DurationUnit[];

/** Reads `7d`, `90s`, `500ms`; units ms s m h d w. Throws `time-range-invalid` when it is none. */
export function parseDuration(text: string): Duration {
  const match = /^(\d{1,16})(ms|s|m|h|d|w)$/.exec(text);
  if (match === null) {
    throw invalidTime(
      `${quoted(text)} is not a duration: write a number and ms, s, m, h, d or w, such as 90s or 7d.`,
    );
  }
  const duration = { count: Number(match[1]), unit: match[2] as DurationUnit };
  if (durationMs(duration) > timeMsMax)
    throw invalidTime(`${quoted(text)} is longer than time itself goes.`);
  return duration;
}

/** Milliseconds of a duration; a day is 24 hours here. */
export function durationMs(duration: Duration): number {
  return duration.count * unitMs[duration.unit];
}
