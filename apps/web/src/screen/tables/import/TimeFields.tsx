import { type RowsPreview, type TimeForm, type TimeUnit, timeUnits } from "@hadal/sdk";
import { formatExact } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { zoneNames } from "../../../format/zoneNames.js";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import type { HowRead } from "../file/howRead.js";

export interface TimeFieldsProps {
  readonly how: HowRead;
  /** Whether the column of the time has numbers, read or not. */
  readonly hasNumbers: boolean;
  /** How the times were read; null: not yet. */
  readonly times: RowsPreview["times"] | null;
  readonly onChange: (how: Partial<HowRead>) => void;
}

const unitWords: Readonly<Record<TimeUnit, string>> = {
  auto: "as found",
  s: "seconds",
  ms: "milliseconds",
  us: "microseconds",
  ns: "nanoseconds",
};

/** How the times were read, in words; and the choice, where the file does not say it itself. */
export function TimeFields({ how, hasNumbers, times, onChange }: TimeFieldsProps) {
  const forms = new Set(times?.forms.map(({ form }) => form));
  const readsNumbers = (["s", "ms", "us", "ns"] as const).some((form) => forms.has(form));
  const asksUnit = hasNumbers || readsNumbers || how.timeUnit !== "auto";
  const asksZone = forms.has("local") || how.timeZone !== ownTimeZone();
  const words = times === null ? "" : timesInWords(times, how.timeZone);
  if (!asksUnit && !asksZone && words === "") return null;
  return (
    <div className={styles.line}>
      {asksUnit && (
        <span className={styles.labelled}>
          Numbers count
          <Select
            label="Numbers count"
            testId="import-unit"
            value={how.timeUnit}
            options={timeUnits.map((value) => ({ value, label: unitWords[value] }))}
            onChange={(value) => onChange({ timeUnit: value as TimeUnit })}
          />
        </span>
      )}
      {asksZone && (
        <ZoneSelect zone={how.timeZone} onChange={(timeZone) => onChange({ timeZone })} />
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

/** "Times are seconds since 1970." Where rows differ, each kind with its rows. */
export function timesInWords({ forms, repeated }: RowsPreview["times"], zone: string): string {
  const [only] = forms;
  if (only === undefined) return "";
  const words =
    forms.length === 1
      ? `Times are ${formWords(only.form, zone)}.`
      : `Times: ${forms.map(({ form, rows }) => `${rowsText(rows)} with ${formWords(form, zone)}`).join(", ")}.`;
  if (repeated === 0) return words;
  return `${words} ${rowsText(repeated)} in the hour that ${zone} has twice: the earlier one is taken.`;
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
