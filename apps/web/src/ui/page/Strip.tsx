import type { ReactNode } from "react";
import styles from "./Strip.module.css";

export interface StripProps {
  readonly tone: "bad" | "warn" | "good";
  readonly children: ReactNode;
  readonly testId?: string;
}

/** One line about what just went wrong or well, where it happened. */
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
