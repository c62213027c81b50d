import type { ComponentProps } from "react";
import styles from "./signin.module.css";

export interface SignInFieldProps extends ComponentProps<"input"> {
  readonly label: string;
  /** It has the focus when the page opens. */
  readonly isFirst: boolean;
  readonly onText: (text: string) => void;
}

/** A labelled field of the pages for who is not signed in. */
export function SignInField({ label, isFirst, onText, ...input }: SignInFieldProps) {
  return (
    <label className={styles.labelled}>
      {label}
      <input
        // biome-ignore lint/a11y/noAutofocus: nothing else can be done on these pages
        autoFocus={isFirst}
        className={styles.input}
        onChange={(event) => onText(event.target.value)}
        {...input}
      />
    </label>
  );
}
