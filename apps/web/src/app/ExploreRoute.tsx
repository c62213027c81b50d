import { type DemoInfo, HadalError } from "@hadal/sdk";
import { useEffect } from "react";
import { useStore } from "zustand";
import type { ExploreStore } from "../draft/history/store.js";
import { isLoading, useDemo } from "../live/useDemo.js";
import { firstTable, openingState } from "../query/state/opening.js";
import { ExploreScreen } from "../screen/explore/ExploreScreen.js";
import type { Session } from "../session/session.js";
import { Button } from "../ui/button/Button.js";
import { Panel } from "../ui/page/Panel.js";
import { tableToOpen } from "./addressBar.js";
import type { Navigation } from "./navigation.js";
import { useAddress } from "./useAddress.js";

export interface ExploreRouteProps {
  readonly session: Session;
  readonly store: ExploreStore;
  readonly navigation: Navigation;
  readonly themeName: string;
}

/** Explore with the query of the address, or with the first query of a table. */
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

/** Loads the tables, and opens a query of the table in the address, or of the first table. */
async function open(session: Session, store: ExploreStore): Promise<void> {
  await session.loadTables();
  if (store.getState().state !== null) return;
  const name = tableToOpen() ?? firstTable(session.getState().tables ?? []);
  const [detail, demo] = await Promise.all([
    name === null ? null : session.loadTable(name),
    demoOf(session),
  ]);
  // The reader may have opened a query meanwhile.
  if (detail !== null && store.getState().state === null) {
    const state = openingState(detail, Date.now());
    // The demo writes its last hours first, so a live view of them fills up.
    const isComing = isLoading(demo) && demo?.table === detail.name;
    store.openWith(isComing ? { ...state, from: "-4h", to: "now", live: true } : state);
  }
}

async function demoOf({ client }: Session): Promise<DemoInfo | null> {
  try {
    return (await client.status()).demo;
  } catch (error) {
    // A failure to load the tables is reported elsewhere.
    if (error instanceof HadalError) return null;
    throw error;
  }
}

const lookEveryMs = 500;

interface NoTableProps {
  readonly session: Session;
  readonly onAgain: () => void;
}

/** Shown while there is no table to query. */
function NoTable({ session, onAgain }: NoTableProps) {
  const { tables, problem } = useStore(session);
  const isEmpty = tables?.length === 0 && problem === null;
  const demo = useDemo(session.client, { isWanted: isEmpty });
  useEffect(() => {
    if (!isEmpty) return;
    // The first row makes a table.
    const timer = setInterval(onAgain, lookEveryMs);
    return () => clearInterval(timer);
  });
  if (problem !== null) {
    return (
      <Panel
        tone="bad"
        testId="error-panel"
        title={problem.code === "unknown-table" ? "No such table" : "Hadal does not respond"}
        action={<Button onClick={onAgain}>Try again</Button>}
      >
        {problem.message}
      </Panel>
    );
  }
  if (tables === null || tables.length > 0) return <div aria-busy="true" />;
  if (isLoading(demo)) {
    return (
      <Panel tone="quiet" testId="empty-panel" title="The demo is starting">
        Its first rows will appear here.
      </Panel>
    );
  }
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="No tables yet"
      action={<a href="/tables">Send or drop the first rows</a>}
    >
      <p>The first row creates a table.</p>
    </Panel>
  );
}
