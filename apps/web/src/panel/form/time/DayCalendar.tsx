import { HadalError, resolveTimeRange } from "@hadal/sdk";
import { useState } from "react";
import { type DateRange, DayPicker } from "react-day-picker";
import "react-day-picker/style.css";
import type { TimeTexts } from "../../../format/timeText.js";
import { addDays, type CalendarDay, dayOf, instantOf } from "../../../format/zoned.js";
import { useFormQuery } from "../../formQuery.js";
import styles from "./time.module.css";

export interface DayCalendarProps {
  readonly onChoose: (range: TimeTexts) => void;
}

/** Picks whole days of the chosen zone: the first click starts the range, the second ends it. */
export function DayCalendar({ onChoose }: DayCalendarProps) {
  const { state, timeZone } = useFormQuery();
  const [started, setStarted] = useState<Date | null>(null);
  const shown = shownRange(state, timeZone);
  const today = dateOf(dayOf(Date.now(), timeZone));
  const pick = (day: Date): void => {
    if (started === null) {
      setStarted(day);
      return;
    }
    const [first, last] = started <= day ? [started, day] : [day, started];
    const from = instantOf(calendarDay(first), 0, timeZone);
    const to = instantOf(addDays(calendarDay(last), 1), 0, timeZone);
    onChoose({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
  };
  return (
    <div className={styles.calendar} data-testid="time-calendar">
      <DayPicker
        mode="range"
        weekStartsOn={1}
        showOutsideDays
        today={today}
        defaultMonth={shown?.to ?? today}
        disabled={{ after: today }}
        selected={started === null ? (shown ?? undefined) : { from: started, to: started }}
        onSelect={(_, day) => pick(day)}
      />
      {started !== null && (
        <p className={styles.hint} role="status">
          Choose the last day, or the same day again.
        </p>
      )}
    </div>
  );
}

function shownRange(range: TimeTexts, timeZone: string): DateRange | null {
  try {
    const { fromMs, toMs } = resolveTimeRange(range.from, range.to, Date.now(), timeZone);
    return { from: dateOf(dayOf(fromMs, timeZone)), to: dateOf(dayOf(toMs - 1, timeZone)) };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return null;
  }
}

/** The calendar uses dates of the browser's zone for the days of any zone. */
const dateOf = ({ year, month, day }: CalendarDay): Date => new Date(year, month - 1, day);

const calendarDay = (date: Date): CalendarDay => ({
  year: date.getFullYear(),
  month: date.getMonth() + 1,
  day: date.getDate(),
});
