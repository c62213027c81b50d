import type { HadalError } from "@hadal/sdk";
import { Button } from "../button/Button.js";
import { Panel } from "./Panel.js";
import styles from "./ProblemPanel.module.css";

/** A remedy with one click, besides running the query again. */
export interface Remedy {
  readonly label: string;
  readonly apply: () => void;
}

export interface ProblemPanelProps {
  readonly problem: HadalError;
  /** An older result stays visible below: the problem is a strip above it. */
  readonly strip: boolean;
  readonly onAgain: () => void;
  readonly remedy: Remedy | null;
}

/** Why there is no result: the server's problem with its place in the query and its remedy. */
export function ProblemPanel({ problem, strip, onAgain, remedy }: ProblemPanelProps) {
  const again = (
    <span className={styles.actions}>
      {remedy !== null && (
        <Button look="main" onClick={remedy.apply} data-testid="remedy">
          {remedy.label}
        </Button>
      )}
      <Button onClick={onAgain} data-testid="ask-again">
        Ask again
      </Button>
    </span>
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
