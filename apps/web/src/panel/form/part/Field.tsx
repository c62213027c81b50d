import type { ReactNode } from "react";
import styles from "./form.module.css";

export interface FieldProps {
  readonly label: string;
  /** A tooltip with the SQL term. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** A line of the form: label on the left, controls on the right. */
export function Field({ label, title, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid row
    <div role="group" aria-label={label} className={styles.field}>
      <span className={styles.fieldLabel} title={title}>
        {label}
      </span>
      <div className={styles.fieldBody}>{children}</div>
    </div>
  );
}
