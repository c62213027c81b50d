import { Select } from "../../../ui/button/Select.js";
import styles from "../base/tables.module.css";

export interface TableFieldProps {
  readonly table: string;
  readonly fixed: boolean;
  readonly onChange: (table: string) => void;
}

/** The name of the target table. */
export function TableField({ table, fixed, onChange }: TableFieldProps) {
  return (
    <label className={styles.labelled}>
      Table
      <input
        className={styles.input}
        data-testid="import-table"
        value={table}
        readOnly={fixed}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

export interface TimeColumnFieldProps {
  readonly column: string | null;
  readonly names: readonly string[];
  readonly onChange: (column: string | null) => void;
}

/** The column that contains the time of a row. */
export function TimeColumnField({ column, names, onChange }: TimeColumnFieldProps) {
  return (
    <span className={styles.labelled}>
      Time of a row
      <Select
        label="Time of a row"
        testId="import-time"
        value={column ?? ""}
        options={[
          ...(column === null ? [{ value: "", label: "choose…" }] : []),
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => onChange(name === "" ? null : name)}
      />
    </span>
  );
}
