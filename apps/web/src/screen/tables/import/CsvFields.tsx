import { type CsvParameters, type CsvReading, csvDelimiters, delimiterName } from "@hadal/sdk";
import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";

export interface CsvFieldsProps {
  readonly csv: CsvParameters;
  /** How the server read the file; null: not yet. */
  readonly reading: CsvReading | null;
  readonly onChange: (csv: CsvParameters) => void;
}

/** The detected or chosen CSV options. */
export function CsvFields({ csv, reading, onChange }: CsvFieldsProps) {
  const delimiter = csv.delimiter ?? reading?.delimiter ?? ",";
  const known = csvDelimiters.includes(delimiter) ? csvDelimiters : [...csvDelimiters, delimiter];
  return (
    <div className={styles.line}>
      <span className={styles.labelled}>
        Values separated by
        <Select
          label="Values separated by"
          testId="import-delimiter"
          value={delimiter}
          options={known.map((value) => ({ value, label: delimiterName(value) }))}
          // Another delimiter makes other columns, so the types are detected again.
          onChange={(chosen) => onChange({ ...csv, delimiter: chosen, types: undefined })}
        />
      </span>
      <span className={styles.labelled}>
        Decimal separator
        <Select
          label="Decimal separator"
          testId="import-decimal"
          value={csv.decimal ?? reading?.decimal ?? "."}
          options={[
            { value: ".", label: "point (1.5)" },
            { value: ",", label: "comma (1,5)" },
          ]}
          onChange={(decimal) => onChange({ ...csv, decimal })}
        />
      </span>
      <label className={styles.labelled}>
        Missing values
        <input
          className={styles.input}
          data-testid="import-null"
          placeholder="NA,unknown"
          value={csv.null ?? ""}
          spellCheck={false}
          onChange={(event) => onChange({ ...csv, null: event.target.value || undefined })}
        />
      </label>
    </div>
  );
}
