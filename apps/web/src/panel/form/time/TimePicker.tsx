import { HadalError } from "@hadal/sdk";
import { type FormEvent, Suspense, useState } from "react";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { rangeInWords } from "../../../format/rangeInWords.js";
import { parseTimeRange, printTimeRange, type TimeTexts } from "../../../format/timeText.js";
import { zoneNames } from "../../../format/zoneNames.js";
import { wholeRange } from "../../../query/state/opening.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { useFormQuery } from "../../formQuery.js";
import { RetentionLine } from "./RetentionLine.js";
import { recentTimes } from "./recentTimes.js";
import styles from "./time.module.css";

/** The calendar is loaded when the picker opens. */
const DayCalendar = lazyPart(async () => (await import("./DayCalendar.js")).DayCalendar);

const presets = ["5m", "15m", "1h", "3h", "12h", "24h", "2d", "7d", "30d"];
const days = ["today", "yesterday", "this week", "last week"];

export interface TimePickerProps {
  readonly onChoose: (range: TimeTexts) => void;
}

/** Picks a range by text, preset, calendar or recent ranges; and the time zone. */
export function TimePicker({ onChoose }: TimePickerProps) {
  const { state, table, timeZone } = useFormQuery();
  const whole = table === null ? null : wholeRange(table);
  const recent = recentTimes().filter(({ from, to }) => from !== state.from || to !== state.to);
  return (
    <div className={styles.picker} data-testid="time-picker">
      <div className={styles.column}>
        <RangeInput key={timeZone} onChoose={onChoose} />
        <div className={styles.presets}>
          {presets.map((length) => (
            <Button
              key={length}
              aria-pressed={state.from === `-${length}` && state.to === "now"}
              onClick={() => onChoose({ from: `-${length}`, to: "now" })}
            >
              {length}
            </Button>
          ))}
        </div>
        <div className={styles.days}>
          {days.map((day) => (
            <Button key={day} onClick={() => onChoose(parseTimeRange(day, timeZone, Date.now()))}>
              {day}
            </Button>
          ))}
          {whole !== null && (
            <Button className={styles.whole} onClick={() => onChoose(whole)}>
              all data
            </Button>
          )}
        </div>
        {recent.length > 0 && (
          <section aria-label="Recent ranges">
            <h3 className={styles.title}>recent</h3>
            {recent.map((range) => (
              <Button
                key={`${range.from} ${range.to}`}
                look="quiet"
                className={styles.recent}
                onClick={() => onChoose(range)}
              >
                {rangeInWords(range.from, range.to, timeZone)}
              </Button>
            ))}
          </section>
        )}
      </div>
      <div className={styles.column}>
        <Suspense fallback={<div className={styles.calendarRoom} aria-busy="true" />}>
          <DayCalendar onChoose={onChoose} />
        </Suspense>
        <ZoneSelect />
        <RetentionLine />
      </div>
    </div>
  );
}

function RangeInput({ onChoose }: TimePickerProps) {
  const { state, timeZone } = useFormQuery();
  const [text, setText] = useState(() => shownText(state, timeZone));
  const [fault, setFault] = useState<string | null>(null);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    try {
      onChoose(parseTimeRange(text, timeZone, Date.now()));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setFault(error.message);
    }
  };
  return (
    <form onSubmit={submit} className={styles.column}>
      <div className={styles.line}>
        <input
          // biome-ignore lint/a11y/noAutofocus: the picker opens on request
          autoFocus
          className={styles.input}
          aria-label="Time range"
          data-testid="time-text"
          value={text}
          spellCheck={false}
          onFocus={(event) => event.target.select()}
          onChange={(event) => {
            setText(event.target.value);
            setFault(null);
          }}
        />
        <Button look="main" type="submit" data-testid="time-apply">
          Apply
        </Button>
      </div>
      <Fault text={fault} />
      <p className={styles.hint}>
        -3h · last 2 days · yesterday 9:00 to 12:00 · Mon 14:00 to now · 2026-11-21
      </p>
    </form>
  );
}

/** The range as text; an unreadable range is shown unchanged. */
function shownText(range: TimeTexts, timeZone: string): string {
  try {
    return printTimeRange(range, timeZone);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return `${range.from} to ${range.to}`;
  }
}

/** Every time zone of the browser; the reader's zone and UTC first. */
function ZoneSelect() {
  const { state, dispatch } = useFormQuery();
  const own = ownTimeZone();
  const others = zoneNames(Intl.supportedValuesOf("timeZone")).filter((zone) => zone !== "UTC");
  return (
    <Select
      label="Time zone"
      testId="time-zone"
      value={state.timeZone ?? ""}
      options={[
        { value: "", label: `${own} (yours)` },
        { value: "UTC", label: "UTC" },
        ...others.map((zone) => ({ value: zone, label: zone })),
      ]}
      onChange={(zone) => dispatch({ kind: "set zone", timeZone: zone === "" ? null : zone })}
    />
  );
}
