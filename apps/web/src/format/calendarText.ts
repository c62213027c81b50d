import { addDays, type CalendarDay, dayMs, isDay, weekdayOf } from "./zoned.js";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const months = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];

/** Days from the first, inclusive, to the second, exclusive. */
export interface Period {
  readonly first: CalendarDay;
  readonly after: CalendarDay;
}

/** `today`, `yesterday`, `this week`, `last month`, `this year`: weeks begin on Monday. */
export function readPeriod(text: string, today: CalendarDay): Period | null {
  const match = /^(this|last|previous) (week|month|year)$/i.exec(text);
  if (match === null) return null;
  const back = match[1]?.toLowerCase() === "this" ? 0 : 1;
  const { year, month } = today;
  switch (match[2]?.toLowerCase()) {
    case "week": {
      const first = addDays(today, 1 - weekdayOf(today) - 7 * back);
      return { first, after: addDays(first, 7) };
    }
    case "month":
      return { first: monthStart(year, month - back), after: monthStart(year, month - back + 1) };
    default:
      return { first: monthStart(year - back, 1), after: monthStart(year - back + 1, 1) };
  }
}

/** `today`, `Mon`, `21 Nov`, `Nov 21, 2026`, `2026-11-21`: without a year the last such day. */
export function readDay(text: string, today: CalendarDay): CalendarDay | null {
  const word = text.toLowerCase();
  if (word === "today") return today;
  if (word === "yesterday") return addDays(today, -1);
  const weekday = indexOfName(weekdays, word);
  if (weekday !== null) return addDays(today, -((weekdayOf(today) - weekday + 7) % 7));
  const iso = /^(\d{4})-(\d\d?)-(\d\d?)$/.exec(word);
  if (iso !== null) return checked(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dayFirst = /^(\d\d?)\.? ([a-z]+)\.?,?(?: (\d{4}))?$/.exec(word);
  const monthFirst = /^([a-z]+)\.? (\d\d?)(?:,? (\d{4}))?$/.exec(word);
  const [day, name, year] =
    dayFirst !== null
      ? [dayFirst[1], dayFirst[2], dayFirst[3]]
      : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = indexOfName(months, name ?? "");
  if (month === null || day === undefined) return null;
  if (year !== undefined) return checked(Number(year), month, Number(day));
  return lastSuch(month, Number(day), today);
}

/** `9:00`, `14:30:15.5`, `9am`, `9:30 pm`, `noon`, `midnight` → ms since midnight. */
export function readClock(text: string): number | null {
  if (/^noon$/i.test(text)) return dayMs / 2;
  if (/^midnight$/i.test(text)) return 0;
  const match = /^(\d\d?)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?)?\s*([ap]m)?$/i.exec(text);
  if (match === null) return null;
  const [, hours = "0", minutes, seconds = "0", fraction = "", half] = match;
  // A number alone is no clock time; 9am and 9:00 are.
  if (minutes === undefined && half === undefined) return null;
  const hour = hourOf(Number(hours), half?.toLowerCase());
  if (hour === null || Number(minutes ?? 0) > 59 || Number(seconds) > 59) return null;
  return (
    ((hour * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)) * 1_000 +
    Number(fraction.padEnd(3, "0"))
  );
}

function hourOf(hour: number, half: string | undefined): number | null {
  if (half === undefined) return hour <= 23 ? hour : null;
  if (hour < 1 || hour > 12) return null;
  return (hour % 12) + (half === "pm" ? 12 : 0);
}

/** Index of a name from 1; its first three letters suffice. */
function indexOfName(names: readonly string[], word: string): number | null {
  if (word.length < 3) return null;
  const index = names.findIndex((name) => name.startsWith(word));
  return index < 0 ? null : index + 1;
}

function checked(year: number, month: number, day: number): CalendarDay | null {
  const found = { year, month, day };
  return year >= 1970 && isDay(found) ? found : null;
}

function lastSuch(month: number, day: number, today: CalendarDay): CalendarDay | null {
  const isLater = month > today.month || (month === today.month && day > today.day);
  return checked(isLater ? today.year - 1 : today.year, month, day);
}

const monthStart = (year: number, month: number): CalendarDay =>
  addDays({ year, month, day: 1 }, 0);
