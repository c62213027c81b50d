import { zoneOffsetMs } from "./time.js";

/** A day of the calendar, months counted from 1. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export const dayMs = 86_400_000;

/** The calendar day of an instant in the zone. */
export function dayOf(timeMs: number, timeZone: string): CalendarDay {
  return dayOfUtc(timeMs + zoneOffsetMs(timeMs, timeZone));
}

/** The day this many days later, across months and years. */
export const addDays = ({ year, month, day }: CalendarDay, count: number): CalendarDay =>
  dayOfUtc(Date.UTC(year, month - 1, day + count));

/** Monday is 1, Sunday 7. */
export function weekdayOf({ year, month, day }: CalendarDay): number {
  return ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7) + 1;
}

/** Whether the day exists: 30 February does not. */
export function isDay(day: CalendarDay): boolean {
  const same = addDays(day, 0);
  return same.year === day.year && same.month === day.month && same.day === day.day;
}

/**
 * The instant of a local time on a day. A time that the day skips is later by the amount that the clocks
 * jump; of a time that occurs twice, the first.
 */
export const instantOf = (day: CalendarDay, clockMs: number, timeZone: string): number =>
  instantOfLocal(Date.UTC(day.year, day.month - 1, day.day) + clockMs, timeZone);

/** The same for a local time in ms as if it were UTC. */
export function instantOfLocal(localMs: number, timeZone: string): number {
  // Near a change of clocks two offsets are possible: both are tried.
  const [before, after] = [
    zoneOffsetMs(localMs - dayMs, timeZone),
    zoneOffsetMs(localMs + dayMs, timeZone),
  ];
  if (before === after) return localMs - before;
  const fitting = [before, after]
    .map((offset) => localMs - offset)
    .filter((timeMs) => timeMs + zoneOffsetMs(timeMs, timeZone) === localMs);
  return fitting.length > 0 ? Math.min(...fitting) : localMs - before;
}

/** Local time in the zone, in ms since midnight. */
export function clockOf(timeMs: number, timeZone: string): number {
  const localMs = timeMs + zoneOffsetMs(timeMs, timeZone);
  return ((localMs % dayMs) + dayMs) % dayMs;
}

function dayOfUtc(localMs: number): CalendarDay {
  const date = new Date(localMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
