import { useEffect } from "react";
import { useStore } from "zustand";
import { firstTable, openingState } from "../query/opening.js";
import type { ExploreStore } from "../query/store.js";
import { ExploreScreen } from "../screen/explore/ExploreScreen.js";
import type { Session } from "../session/session.js";
import { Button } from "../ui/Button.js";
import { Panel } from "../ui/Panel.js";
import { tableToOpen } from "./addressBar.js";
import type { Navigation } from "./navigation.js";
import { useAddress } from "./useAddress.js";

export interface ExploreRouteProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly navigation: Navigation;
  readonly themeName: string;
}

/** Explore with the question of the address; without one, with the first question about a table. */
export function ExploreRoute({ session, store, navigation, themeName }: ExploreRouteProps) {
  const { state } = useStore(store);
  const { search } = useAddress(navigation);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another address may name another table
  useEffect(() => {
    if (store.getState().state === null) void open(session, store);
  }, [session, store, search, state === null]);

  if (state === null) {
    return <NoTable session={session} onAgain={() => void open(session, store)} />;
  }
  return (
    <ExploreScreen
      session={session}
      store={store}
      state={state}
      themeName={themeName}
      onVisit={navigation.go}
    />
  );
}

/** Reads the tables; a page without a question of its own gets one about the table it names, or the first. */
async function open(session: Session, store: ExploreStore): Promise<void> {
  await session.loadTables();
  if (store.getState().state !== null) return;
  const name = tableToOpen() ?? firstTable(session.getState().tables ?? []);
  const detail = name === null ? null : await session.loadTable(name);
  // A question may have come meanwhile, by Back or by hand.
  if (detail !== null && store.getState().state === null) {
    store.openWith(openingState(detail, Date.now()));
  }
}

interface NoTableProps {
  readonly session: Session;
  readonly onAgain: () => void;
}

/** Before there is a table to ask about. */
function NoTable({ session, onAgain }: NoTableProps) {
  const { tables, problem } = useStore(session);
  if (problem !== null) {
    return (
      <Panel
        tone="bad"
        testId="error-panel"
        title={problem.code === "unknown-table" ? "No such table" : "Hadal does not answer"}
        action={<Button onClick={onAgain}>Try again</Button>}
      >
        {problem.message}
      </Panel>
    );
  }
  if (tables === null || tables.length > 0) return <div aria-busy="true" />;
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="No tables yet"
      action={<a href="/tables">Send or drop the first rows</a>}
    >
      <p>A table is born with its first row.</p>
    </Panel>
  );
}
