import styles from "./ShareButton.module.css";

export interface ShareItemProps {
  readonly name: string;
  readonly note: string;
  readonly testId: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** An item of the share menu: a name and a short explanation. */
export function ShareItem({ name, note, testId, disabled = false, onClick }: ShareItemProps) {
  return (
    <button
      type="button"
      className={styles.item}
      data-testid={testId}
      disabled={disabled}
      onClick={onClick}
    >
      {name}
      <span className={styles.note}>{note}</span>
    </button>
  );
}
