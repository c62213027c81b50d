import { ChevronDown } from "lucide-react";
import styles from "./Select.module.css";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

export interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
  readonly testId?: string;
}

/** A choice between a few options, as a native list for accessibility. */
export function Select({ label, value, options, onChange, testId }: SelectProps) {
  const known = options.some((option) => option.value === value);
  return (
    <span className={styles.box}>
      <select
        aria-label={label}
        className={styles.select}
        value={value}
        data-testid={testId}
        onChange={(event) => onChange(event.target.value)}
      >
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} className={styles.arrow} aria-hidden="true" />
    </span>
  );
}
