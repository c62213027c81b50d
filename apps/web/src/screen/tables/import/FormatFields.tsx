import { useState } from "react";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";
import { logPatterns } from "../file/logPattern.js";
import type { BodyFormat } from "../file/readPreview.js";
import type { TextFormat } from "../file/textFormat.js";

const words: Readonly<Record<BodyFormat, string>> = {
  ndjson: "JSON lines",
  json: "JSON",
  csv: "CSV or TSV",
  raw: "log lines",
  folded: "folded stacks",
  cpuprofile: ".cpuprofile",
  parquet: "Parquet",
  arrow: "Arrow",
  "otlp-logs": "OTLP logs",
  "otlp-traces": "OTLP traces",
  "otlp-metrics": "OTLP metrics",
  "otlp-logs-protobuf": "OTLP logs, protobuf",
  "otlp-traces-protobuf": "OTLP traces, protobuf",
  "otlp-metrics-protobuf": "OTLP metrics, protobuf",
};

const textFormats: readonly TextFormat[] = [
  ...(["ndjson", "json", "csv", "raw", "folded", "cpuprofile"] as const),
  ...(["otlp-logs", "otlp-traces", "otlp-metrics"] as const),
];

export interface FormatFieldProps {
  readonly format: BodyFormat;
  readonly onChange: (format: TextFormat) => void;
}

/** The detected format; a text may be of another one. */
export function FormatField({ format, onChange }: FormatFieldProps) {
  const isText = textFormats.some((one) => one === format);
  if (!isText) return <span className={styles.labelled}>{words[format]}</span>;
  return (
    <span className={styles.labelled}>
      Format
      <Select
        label="Format"
        testId="import-format"
        value={format}
        options={textFormats.map((value) => ({ value, label: words[value] }))}
        onChange={(value) => onChange(value as TextFormat)}
      />
    </span>
  );
}

export interface PatternFieldProps {
  readonly pattern: string;
  readonly onChange: (pattern: string) => void;
}

const ownPattern = "own";
const example = String.raw`(?P<time>\S+) (?P<level>\w+) (?P<message>.*)`;

/** What log lines look like: one of the server's patterns, or an own one with named groups. */
export function PatternField({ pattern, onChange }: PatternFieldProps) {
  const isKnown = logPatterns.some(({ name }) => name === pattern);
  const [written, setWritten] = useState(isKnown ? example : pattern);
  return (
    <div className={styles.line}>
      <span className={styles.labelled}>
        Lines are
        <Select
          label="Lines are"
          testId="import-pattern"
          value={isKnown ? pattern : ownPattern}
          options={[
            ...logPatterns.map(({ name, label }) => ({ value: name, label })),
            { value: ownPattern, label: "a pattern of your own" },
          ]}
          onChange={(chosen) => onChange(chosen === ownPattern ? written : chosen)}
        />
      </span>
      {!isKnown && (
        <label className={styles.labelled}>
          Pattern
          <input
            className={styles.input}
            data-testid="import-own-pattern"
            value={written}
            size={50}
            spellCheck={false}
            onChange={(event) => {
              setWritten(event.target.value);
              onChange(event.target.value);
            }}
          />
        </label>
      )}
    </div>
  );
}
