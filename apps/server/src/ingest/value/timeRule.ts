import type { TimeUnit } from "@hadal/sdk";
import { allTime } from "../../base/row/allTime.js";
import type { TimeForms } from "./timeForms.js";

type FixedUnit = Exclude<TimeUnit, "auto">;

/** How the numbers in the time column of a request are read. */
export interface TimeRule {
  /** null: integer milliseconds, as long as they are plausible. */
  readonly unit: TimeUnit | null;
  /** Of texts that name none; null: such a text is refused. */
  readonly zone: string | null;
  /** Plausible are numbers from here… */
  readonly earliestMs: number;
  /** …to here; not checked where the request names a unit. */
  readonly latestMs: number;
  /** The latest time in any form that is accepted. */
  readonly futureMs: number;
  /** When the rows came, by which they are late or ahead; null: they are not of a request. */
  readonly receivedMs: number | null;
  /** Counts how times are read, for a preview. */
  readonly forms?: TimeForms;
}

/** Milliseconds without a check. */
export const anyMs: TimeRule = {
  unit: "ms",
  zone: null,
  earliestMs: allTime.from,
  latestMs: allTime.to - 1,
  futureMs: allTime.to - 1,
  receivedMs: null,
};

/** No older row has a number as its time; whole seconds read as milliseconds are in 1970. */
const earliestPlausibleMs = Date.UTC(1990, 0);
const tenYearsMs = 10 * 31_556_952_000;
/** The power of ten that turns the unit into milliseconds. */
const powers: Readonly<Record<FixedUnit, number>> = { s: 3, ms: 0, us: -3, ns: -6 };
const units: readonly FixedUnit[] = ["s", "ms", "us", "ns"];
const textPattern = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** 10^16 ms are beyond the year 300,000. */
const wholeDigitsMax = 16;

export interface TimeRuleOptions {
  readonly unit: TimeUnit | null;
  readonly zone?: string | null;
  /** How far ahead of now a row may be, ms; 0: as far as it wants. */
  readonly futureMaxMs: number;
}

/** The rule for a request that arrives now. */
export function createTimeRule(
  nowMs: number,
  { unit, zone = null, futureMaxMs }: TimeRuleOptions,
): TimeRule {
  const receivedMs = Math.floor(nowMs);
  const latestMs = Math.min(receivedMs + tenYearsMs, allTime.to - 1);
  const boundMs = futureMaxMs === 0 ? allTime.to - 1 : receivedMs + futureMaxMs;
  const futureMs = Math.min(boundMs, allTime.to - 1);
  return { unit, zone, earliestMs: earliestPlausibleMs, latestMs, futureMs, receivedMs };
}

/** Whether times are accepted without a check of their range. */
export function namesUnit({ unit }: TimeRule): boolean {
  return unit !== null && unit !== "auto";
}

/** The unit that puts this number between the two ends of the rule: there is one at most. */
export function unitBetween(text: string, { earliestMs, latestMs }: TimeRule): FixedUnit | null {
  for (const unit of units) {
    const timeMs = wholeMs(text, unit);
    if (timeMs >= earliestMs && timeMs <= latestMs) return unit;
  }
  return null;
}

/**
 * The millisecond that has begun at this number, read digit by digit; infinite far beyond every
 * calendar.
 */
export function wholeMs(text: string, unit: FixedUnit): number {
  const match = textPattern.exec(text);
  if (match === null) return Number.NaN;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  const all = whole + fraction;
  const firstIndex = all.search(/[1-9]/);
  if (firstIndex < 0) return 0;
  const digits = all.slice(firstIndex);
  const wholeDigits = whole.length - firstIndex + Number(exponent) + powers[unit];
  if (wholeDigits > wholeDigitsMax) return sign === "-" ? -Infinity : Infinity;
  const size = wholeDigits <= 0 ? 0 : Number(digits.slice(0, wholeDigits).padEnd(wholeDigits, "0"));
  if (sign === "") return size;
  const hasRest = /[1-9]/.test(digits.slice(Math.max(0, wholeDigits)));
  return hasRest ? -size - 1 : 0 - size;
}
