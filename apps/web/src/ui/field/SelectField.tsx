import { Select } from "../button/Select.js";
import { Fault } from "./Fault.js";
import styles from "./field.module.css";

export interface SelectFieldProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One of several options, with its name and its fault. */
export function SelectField({ fault, ...select }: SelectFieldProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>{select.label}</span>
      <Select {...select} />
      <Fault text={fault ?? null} />
    </div>
  );
}
