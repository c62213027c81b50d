import { createContext, useContext, useId } from "react";
import { Fault } from "./Fault.js";
import styles from "./field.module.css";

/** The id of the form that fields belong to where they do not lie inside it. */
export const FormOfFields = createContext<string | undefined>(undefined);

export interface TextFieldProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly lengthMax?: number;
  /** Shown while the field is empty. */
  readonly example?: string;
  readonly hint?: string;
  readonly fault: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One line of text, with its name and its fault. */
export function TextField(props: TextFieldProps) {
  const { label, testId, value, lengthMax, example, hint, fault, onChange } = props;
  const id = useId();
  const form = useContext(FormOfFields);
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...{ id, form, value, maxLength: lengthMax, "data-testid": testId }}
        className={styles.input}
        placeholder={example}
        autoComplete="off"
        aria-invalid={fault !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      <Fault text={fault ?? null} />
    </div>
  );
}

export interface AreaFieldProps extends TextFieldProps {
  readonly rows: number;
  /** False for what is no prose. */
  readonly spellCheck?: boolean;
}

/** Several lines of text. */
export function AreaField(props: AreaFieldProps) {
  const { label, testId, value, lengthMax, rows, example, spellCheck, hint, fault, onChange } =
    props;
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...{ id, value, rows, spellCheck, maxLength: lengthMax, "data-testid": testId }}
        className={styles.area}
        placeholder={example}
        aria-invalid={fault !== undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && <span className={styles.hint}>{hint}</span>}
      <Fault text={fault ?? null} />
    </div>
  );
}
