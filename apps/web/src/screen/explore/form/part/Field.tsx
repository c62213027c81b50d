import type { ReactNode } from "react";
import styles from "./form.module.css";

export interface FieldProps {
  readonly label: string;
  /** What it does, with SQL's word for it. */
  readonly title?: string;
  readonly children: ReactNode;
}

/** A line of the form: what it is on the left, what it holds on the right. */
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

/** What is wrong, at the place where it is. */
export function Fault({ text }: { readonly text: string | null }) {
  if (text === null) return null;
  return (
    <p role="alert" className={styles.fault}>
      {text}
    </p>
  );
}
