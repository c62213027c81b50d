import { Button } from "../button/Button.js";
import { CopyButton } from "../button/CopyButton.js";
import styles from "./ShownOnce.module.css";

export interface ShownOnceProps {
  readonly title: string;
  readonly note: string;
  readonly text: string;
  readonly onClose: () => void;
}

/** A secret that the server does not show again. */
export function ShownOnce({ title, note, text, onClose }: ShownOnceProps) {
  return (
    <section className={styles.once} aria-label={title} data-testid="shown-once">
      <strong>{title}</strong>
      <span className={styles.note}>{note}</span>
      <div className={styles.line}>
        <input
          // biome-ignore lint/a11y/noAutofocus: it is what the reader has just asked for
          autoFocus
          readOnly
          className={styles.secret}
          aria-label={title}
          data-testid="secret"
          value={text}
          onFocus={(event) => event.target.select()}
        />
        <CopyButton look="main" testId="copy-secret" text={text} />
        <Button data-testid="hide-secret" onClick={onClose}>
          I have it
        </Button>
      </div>
    </section>
  );
}
