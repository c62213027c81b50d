import type { HadalError } from "@hadal/sdk";
import { Button } from "../../../ui/Button.js";
import { Panel } from "../../../ui/Panel.js";
import styles from "./ProblemPanel.module.css";

export interface ProblemPanelProps {
  readonly problem: HadalError;
  /** An older answer stays visible below: the problem is a strip above it. */
  readonly strip: boolean;
  readonly onAgain: () => void;
}

/** Why there is no answer: what, where, and how to mend it, as the server said it. */
export function ProblemPanel({ problem, strip, onAgain }: ProblemPanelProps) {
  const again = (
    <Button onClick={onAgain} data-testid="ask-again">
      Ask again
    </Button>
  );
  const parts = problem.errors.filter((part) => part.detail !== problem.message);
  const list = parts.length > 0 && (
    <ul className={styles.parts}>
      {parts.slice(0, 5).map((part) => (
        <li key={`${part.path} ${part.detail}`}>
          {part.path !== undefined && <code>{part.path}</code>} {part.detail}
        </li>
      ))}
    </ul>
  );
  if (strip) {
    return (
      <div className={styles.strip} role="alert" data-testid="error-panel" data-code={problem.code}>
        <span className={styles.text}>
          {problem.message}
          {list}
        </span>
        {again}
      </div>
    );
  }
  return (
    <Panel tone="bad" testId="error-panel" title="No answer" action={again}>
      <p>{problem.message}</p>
      {list}
    </Panel>
  );
}
