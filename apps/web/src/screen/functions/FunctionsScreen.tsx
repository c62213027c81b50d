import { HadalError, type UserFunction } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { FunctionEditor } from "./FunctionEditor.js";
import { FunctionList } from "./FunctionList.js";
import styles from "./functions.module.css";
import { functionUrl } from "./functionUrl.js";

export interface FunctionsScreenProps {
  readonly session: Session;
  /** The name of the shown function; null: a new one. */
  readonly name: string | null;
  readonly onVisit: (url: string) => void;
}

/** Functions in JavaScript: the list, and the editor of one. */
export function FunctionsScreen({ session, name, onVisit }: FunctionsScreenProps) {
  const { functions, problem, load } = useFunctions(session);
  useEffect(() => {
    document.title = `${name === null ? "" : `${name} · `}Functions · Hadal`;
    void load();
    if (session.getState().tables === null) void session.loadTables();
  }, [load, name, session]);

  if (functions === null) {
    return (
      <Awaited
        problem={problem}
        title="The functions cannot be loaded"
        onAgain={() => void load()}
      />
    );
  }
  const shown = name === null ? null : functions.find((one) => one.name === name);
  return (
    <Page
      testId="functions-screen"
      title="Functions"
      note="JavaScript that runs on the leaves"
      actions={
        name !== null && (
          <Button data-testid="new-function" onClick={() => onVisit("/functions")}>
            <Plus size={14} /> New function
          </Button>
        )
      }
    >
      <div className={styles.split}>
        <FunctionList functions={functions} shown={name} />
        {shown === undefined ? (
          <Panel tone="bad" testId="error-panel" title={`There is no function ${name}`}>
            It may have been deleted or renamed.
          </Panel>
        ) : (
          <FunctionEditor
            key={shown?.name ?? ""}
            session={session}
            saved={shown}
            onSaved={async (next) => {
              await load();
              onVisit(functionUrl(next));
            }}
            onDeleted={async () => {
              await load();
              onVisit("/functions");
            }}
          />
        )}
      </div>
    </Page>
  );
}

/** The saved functions and the examples; null: not loaded yet. */
function useFunctions(session: Session) {
  const [functions, setFunctions] = useState<readonly UserFunction[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    try {
      setFunctions(await session.client.functions());
      setProblem(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  }, [session]);
  return { functions, problem, load };
}
