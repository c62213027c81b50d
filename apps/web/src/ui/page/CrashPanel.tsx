import { Button } from "../button/Button.js";
import styles from "./CrashPanel.module.css";
import { Panel } from "./Panel.js";

export interface CrashPanelProps {
  readonly title: string;
  readonly error: Error;
  readonly onAgain: () => void;
}

/** Shown for a part of the page that failed, with ways to go on. The address keeps the query. */
export function CrashPanel({ title, error, onAgain }: CrashPanelProps) {
  return (
    <Panel
      tone="bad"
      testId="crash-panel"
      title={title}
      action={
        <span className={styles.actions}>
          <Button look="main" data-testid="crash-again" onClick={onAgain}>
            Try again
          </Button>
          <Button data-testid="crash-reload" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </span>
      }
    >
      <p>This is a fault of the page, not of your question, which stays in the address.</p>
      <pre>{error.message === "" ? error.name : error.message}</pre>
    </Panel>
  );
}
