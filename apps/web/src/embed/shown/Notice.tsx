import styles from "../style/embed.module.css";

export interface NoticeProps {
  readonly title: string;
  readonly text?: string;
  readonly tone: "quiet" | "bad";
  readonly testId: string;
  /** What another attempt does; absent: none would help. */
  readonly onAgain?: () => void;
}

/** Why nothing is drawn, short enough for the smallest chart. */
export function Notice({ title, text, tone, testId, onAgain }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} data-testid={testId} role="status">
      <strong>{title}</strong>
      {text !== undefined && text !== "" && <span>{text}</span>}
      {onAgain !== undefined && (
        <button type="button" className={styles.action} onClick={onAgain}>
          Ask again
        </button>
      )}
    </div>
  );
}
