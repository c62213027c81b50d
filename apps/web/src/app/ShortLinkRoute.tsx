import { HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import type { Session } from "../session/session.js";
import { Panel } from "../ui/page/Panel.js";
import type { Navigation } from "./navigation.js";

export interface ShortLinkRouteProps {
  readonly id: string;
  readonly session: Session;
  readonly navigation: Navigation;
}

/** Opens the address of a short link. */
export function ShortLinkRoute({ id, session, navigation }: ShortLinkRouteProps) {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    session.client.link(id).then(
      ({ path }) => {
        if (current) navigation.replace(path);
      },
      (error: unknown) => {
        if (!current) return;
        setProblem(error instanceof HadalError ? error.message : String(error));
      },
    );
    return () => {
      current = false;
    };
  }, [id, session, navigation]);
  if (problem === null) return <div aria-busy="true" />;
  return (
    <Panel
      tone="bad"
      testId="error-panel"
      title="This link does not exist"
      action={<a href="/explore">Go to Explore</a>}
    >
      <p>{problem}</p>
      <p>It may be incomplete, or belong to another server.</p>
    </Panel>
  );
}
