import type { ReactNode } from "react";
import styles from "./Panel.module.css";

export interface PanelProps {
  readonly tone: "quiet" | "bad";
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly testId: string;
}

/** Shown in place of a result: why there is none, and the next step. */
export function Panel({ tone, title, children, action, testId }: PanelProps) {
  return (
    <section
      className={styles.panel}
      data-tone={tone}
      data-testid={testId}
      {...(tone === "bad" ? { role: "alert" } : {})}
    >
      <h2 className={styles.title}>{title}</h2>
      {children !== undefined && <div className={styles.body}>{children}</div>}
      {action}
    </section>
  );
}
