import { useState } from "react";
import { Button } from "./Button.js";
import styles from "./ConfirmButton.module.css";

export interface ConfirmButtonProps {
  /** `Remove`. */
  readonly label: string;
  /** What it is about, for screen readers: `ann`. */
  readonly subject: string;
  /** `Remove ann and end all sessions`. */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** A button that asks once more, in its place; Escape or leaving it takes the question back. */
export function ConfirmButton({ label, subject, question, onConfirm }: ConfirmButtonProps) {
  const [asks, setAsks] = useState(false);
  if (!asks) {
    return (
      <Button look="quiet" aria-label={`${label} ${subject}`} onClick={() => setAsks(true)}>
        {label}
      </Button>
    );
  }
  return (
    <Button
      key="confirm"
      autoFocus
      className={styles.danger ?? ""}
      data-testid="confirm"
      onBlur={() => setAsks(false)}
      onKeyDown={(event) => event.key === "Escape" && setAsks(false)}
      onClick={() => {
        setAsks(false);
        onConfirm();
      }}
    >
      {question}
    </Button>
  );
}
