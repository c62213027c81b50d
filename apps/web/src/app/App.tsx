import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { firstTable, openingState } from "../query/opening.js";
import type { ExploreStore } from "../query/store.js";
import { ExploreScreen } from "../screen/explore/ExploreScreen.js";
import type { Session } from "../session/session.js";
import { Button } from "../ui/Button.js";
import { Panel } from "../ui/Panel.js";
import styles from "./app.module.css";
import { Header } from "./Header.js";
import { theme } from "./theme.js";

export interface AppProps {
  readonly session: Session;
  readonly store: ExploreStore;
}

export function App({ session, store }: AppProps) {
  const { state } = useStore(store);
  const themeName = useStore(theme).name;
  const [keysOpen, setKeysOpen] = useState(false);

  useEffect(() => {
    void open(session, store);
  }, [session, store]);

  const chooseTable = async (name: string): Promise<void> => {
    if (name === state?.table) return;
    const detail = await session.loadTable(name);
    if (detail !== null) store.dispatch({ kind: "open", state: openingState(detail, Date.now()) });
  };
  return (
    <div className={styles.app}>
      <Header
        session={session}
        tableName={state?.table ?? null}
        onTable={(name) => void chooseTable(name)}
        onKeys={() => setKeysOpen(true)}
      />
      {state === null ? (
        <NoTable session={session} onAgain={() => void open(session, store)} />
      ) : (
        <ExploreScreen
          session={session}
          store={store}
          state={state}
          themeName={themeName}
          keysOpen={keysOpen}
          onKeysOpen={setKeysOpen}
        />
      )}
    </div>
  );
}

/** Reads the tables; a page without a question of its own gets the first one. */
async function open(session: Session, store: ExploreStore): Promise<void> {
  await session.loadTables();
  if (store.getState().state !== null) return;
  const name = firstTable(session.getState().tables ?? []);
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
        title="Hadal does not answer"
        action={<Button onClick={onAgain}>Try again</Button>}
      >
        {problem.message}
      </Panel>
    );
  }
  if (tables === null || tables.length > 0) return <div aria-busy="true" />;
  const example = `curl ${location.origin}/api/v1/tables/hello/rows \\
  -H 'content-type: application/x-ndjson' \\
  -d '{"time": ${Date.now()}, "service": "checkout", "latency_us": 81234}'`;
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="No tables yet"
      action={
        <Button look="main" onClick={onAgain}>
          Look again
        </Button>
      }
    >
      <p>A table is born with its first row. Send one:</p>
      <pre>{example}</pre>
    </Panel>
  );
}
