import type { ReactNode } from "react";
import styles from "./Strip.module.css";

export interface StripProps {
  readonly tone: "bad" | "warn" | "good";
  readonly children: ReactNode;
  readonly testId?: string;
}

/** One line about the success or failure of an action, beside it. */
export function Strip({ tone, children, testId }: StripProps) {
  return (
    <div
      className={styles.strip}
      data-tone={tone}
      data-testid={testId}
      role={tone === "good" ? "status" : "alert"}
    >
      {children}
    </div>
  );
}
