import { Button } from "../button/Button.js";
import { Panel } from "./Panel.js";

export interface AwaitedProps {
  /** Why there is nothing to show; null: it is on its way. */
  readonly problem: string | null;
  readonly title: string;
  readonly onAgain: () => void;
}

/** Stands where a screen will be as soon as its first answer is there. */
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
