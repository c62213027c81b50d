import type { ReactNode } from "react";
import styles from "./Page.module.css";

export interface PageProps {
  readonly title: ReactNode;
  /** A few words beside the title. */
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A screen with one column of content. */
export function Page({ title, note, actions, testId, children }: PageProps) {
  return (
    <main className={styles.page} data-testid={testId}>
      <div className={styles.inner}>
        <div className={styles.head}>
          <h1 className={styles.title}>{title}</h1>
          {note !== undefined && <span className={styles.note}>{note}</span>}
          <span className={styles.grow} />
          {actions}
        </div>
        {children}
      </div>
    </main>
  );
}

export interface SectionProps {
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
  readonly testId?: string;
}

export function Section({ title, note, children, testId }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title} data-testid={testId}>
      <h2 className={styles.sectionTitle}>
        {title}
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </h2>
      {children}
    </section>
  );
}
