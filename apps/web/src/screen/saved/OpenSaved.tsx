import { HadalError } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";
import { bodyOf, pathOfBody } from "../../draft/saved/savedState.js";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Panel } from "../../ui/page/Panel.js";

export interface OpenSavedProps {
  readonly session: Session;
  readonly id: string;
  readonly onReplace: (url: string) => void;
}

/** Opens a saved query in Explore. */
export function OpenSaved({ session, id, onReplace }: OpenSavedProps) {
  const [problem, setProblem] = useState<HadalError | null>(null);
  const open = useCallback(async () => {
    setProblem(null);
    try {
      const document = await session.client.documents.find(id);
      if (document.kind !== "query") throw new HadalError("unknown-document", { id });
      const at = { timeZone: ownTimeZone(), nowMs: Date.now() };
      onReplace(pathOfBody(bodyOf(document), id, at));
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error);
    }
  }, [session, id, onReplace]);
  useEffect(() => void open(), [open]);
  if (problem === null) return <div aria-busy="true" />;
  const isGone = problem.code === "unknown-document";
  return (
    <Panel
      tone="bad"
      testId="error-panel"
      title={isGone ? "This saved query does not exist" : "The saved query cannot be loaded"}
      action={
        isGone ? (
          <a href="/saved">All saved queries</a>
        ) : (
          <Button onClick={() => void open()}>Try again</Button>
        )
      }
    >
      {isGone ? "It was deleted, or you may not see it." : problem.message}
    </Panel>
  );
}
