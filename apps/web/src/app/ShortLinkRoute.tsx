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

/** Goes on to the address that the short link stands for. */
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
      title="This link leads nowhere"
      action={<a href="/explore">Go to Explore</a>}
    >
      <p>{problem}</p>
      <p>It may have been cut off on its way, or belong to another Hadal.</p>
    </Panel>
  );
}
