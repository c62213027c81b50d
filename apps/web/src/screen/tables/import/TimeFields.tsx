import { type RowsPreview, type TimeForm, type TimeUnit, timeUnits } from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { zoneNames } from "../../../format/zoneNames.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import type { ReadOptions } from "../file/readOptions.js";

export interface TimeFieldsProps {
  readonly readOptions: ReadOptions;
  /** Whether the time column contains numbers. */
  readonly hasNumbers: boolean;
  /** How the server read the times; null: not yet. */
  readonly times: RowsPreview["times"] | null;
  readonly onChange: (readOptions: Partial<ReadOptions>) => void;
}

const unitWords: Readonly<Record<TimeUnit, string>> = {
  auto: "detected unit",
  s: "seconds",
  ms: "milliseconds",
  us: "microseconds",
  ns: "nanoseconds",
};

/** How the times were read, and the choice of unit and zone where the file does not name them. */
export function TimeFields({ readOptions, hasNumbers, times, onChange }: TimeFieldsProps) {
  const forms = new Set(times?.forms.map(({ form }) => form));
  const readsNumbers = (["s", "ms", "us", "ns"] as const).some((form) => forms.has(form));
  const asksUnit = hasNumbers || readsNumbers || readOptions.timeUnit !== "auto";
  const asksZone = forms.has("local") || readOptions.timeZone !== ownTimeZone();
  const words = times === null ? "" : timesInWords(times, readOptions.timeZone);
  if (!asksUnit && !asksZone && words === "") return null;
  return (
    <div className={styles.line}>
      {asksUnit && (
        <span className={styles.labelled}>
          Unit of numbers
          <Select
            label="Unit of numbers"
            testId="import-unit"
            value={readOptions.timeUnit}
            options={timeUnits.map((value) => ({ value, label: unitWords[value] }))}
            onChange={(value) => onChange({ timeUnit: value as TimeUnit })}
          />
        </span>
      )}
      {asksZone && (
        <ZoneSelect zone={readOptions.timeZone} onChange={(timeZone) => onChange({ timeZone })} />
      )}
      <span className={styles.timesRead} role="status" data-testid="times-read">
        {words}
      </span>
    </div>
  );
}

interface ZoneSelectProps {
  readonly zone: string;
  readonly onChange: (zone: string) => void;
}

function ZoneSelect({ zone, onChange }: ZoneSelectProps) {
  const own = ownTimeZone();
  const others = zoneNames(Intl.supportedValuesOf("timeZone")).filter(
    (name) => name !== "UTC" && name !== own,
  );
  return (
    <span className={styles.labelled}>
      Times without a zone are in
      <Select
        label="Times without a zone are in"
        testId="import-zone"
        value={zone}
        options={[
          { value: own, label: `${own} (yours)` },
          ...(own === "UTC" ? [] : [{ value: "UTC", label: "UTC" }]),
          ...others.map((name) => ({ value: name, label: name })),
        ]}
        onChange={onChange}
      />
    </span>
  );
}

/** `Times are numbers of seconds since 1970.`; with the rows of each form where they differ. */
export function timesInWords({ forms, repeated }: RowsPreview["times"], zone: string): string {
  const [only] = forms;
  if (only === undefined) return "";
  const words =
    forms.length === 1
      ? `Times are ${formWords(only.form, zone)}.`
      : `Times: ${forms.map(({ form, rows }) => `${rowsText(rows)} with ${formWords(form, zone)}`).join(", ")}.`;
  if (repeated === 0) return words;
  return `${words} ${rowsText(repeated)} in the hour that ${zone} repeats: the earlier time is used.`;
}

function formWords(form: TimeForm, zone: string): string {
  switch (form) {
    case "text":
      return "dates that name their zone";
    case "local":
      return `dates without a zone, read in ${zone}`;
    case "typed":
      return "moments in UTC";
    default:
      return `numbers of ${unitWords[form]} since 1970`;
  }
}

const rowsText = (rows: number): string => `${formatExact(rows)} ${rows === 1 ? "row" : "rows"}`;
