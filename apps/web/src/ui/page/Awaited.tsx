import { Button } from "../button/Button.js";
import { Panel } from "./Panel.js";

export interface AwaitedProps {
  /** Why there is nothing to show; null: still loading. */
  readonly problem: string | null;
  readonly title: string;
  readonly onAgain: () => void;
}

/** Placeholder of a screen until its first result arrives. */
export function Awaited({ problem, title, onAgain }: AwaitedProps) {
  if (problem === null) return <div aria-busy="true" data-testid="loading" />;
  return (
    <Panel
      tone="bad"
      testId="error-panel"
      title={title}
      action={<Button onClick={onAgain}>Try again</Button>}
    >
      {problem}
    </Panel>
  );
}
