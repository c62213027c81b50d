import { json } from "@codemirror/lang-json";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import type { HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import {
  type QueryLanguage,
  readQueryText,
  type TextFault,
} from "../../../draft/text/queryText.js";
import { stateOfQuery } from "../../../draft/text/stateOfQuery.js";
import { Button } from "../../../ui/button/Button.js";
import { CodeEditor } from "../../../ui/code/CodeEditor.js";
import { useFormQuery } from "../../formQuery.js";
import styles from "../part/form.module.css";
import { completeQuery } from "./completeQuery.js";
import { printedQuery } from "./printedQuery.js";

const noFaults: readonly TextFault[] = [];

export interface QueryTextProps {
  readonly language: QueryLanguage;
}

/** The query as text. It follows the form until it is edited; running it updates the form. */
export function QueryText({ language }: QueryTextProps) {
  const { session, state, columns } = useFormQuery();
  const { text, isEdited, faults, added, edit, revert, run } = useQueryDraft(language);
  const tables = useStore(session).tables ?? [];
  const languageSupport = useMemo(
    () => (language === "sql" ? sql({ dialect: PostgreSQL }) : json()),
    [language],
  );
  const complete = useMemo(
    () => completeQuery(language, tables, columns),
    [language, tables, columns],
  );
  return (
    <div className={styles.query}>
      <CodeEditor
        label={language === "sql" ? "Query in SQL" : "Query in JSON"}
        testId="query-text"
        value={text}
        language={languageSupport}
        faults={faults}
        complete={complete}
        onChange={edit}
        onSubmit={run}
      />
      <FaultList text={text} faults={faults} />
      {added.length > 0 && (
        <p className={styles.hint} role="status" data-testid="query-added">
          The view adds {added.join(" and ")}.
        </p>
      )}
      {state.view === "query" && !isEdited && (
        <p className={styles.hint} role="status" data-testid="query-as-written">
          The form has no fields for some parts, so this query runs exactly as written.
        </p>
      )}
      <div className={styles.line}>
        <Button look="main" className={styles.dive} data-testid="query-apply" onClick={run}>
          Dive <kbd>Ctrl ⏎</kbd>
        </Button>
        {isEdited && (
          <Button data-testid="query-revert" onClick={revert}>
            Revert
          </Button>
        )}
      </div>
    </div>
  );
}

interface QueryDraft {
  readonly text: string;
  /** The text was edited and did not run yet. */
  readonly isEdited: boolean;
  readonly faults: readonly TextFault[];
  /** What the view added to the last query that ran. */
  readonly added: readonly string[];
  readonly edit: (text: string) => void;
  readonly revert: () => void;
  readonly run: () => void;
}

function useQueryDraft(language: QueryLanguage): QueryDraft {
  const { session, state, timeZone, problem, dispatch, dive } = useFormQuery();
  const printed = usePrinted(language);
  // Edited text that did not run yet; null: not edited.
  const [draft, setDraft] = useState<string | null>(null);
  const [faults, setFaults] = useState(noFaults);
  const [added, setAdded] = useState<readonly string[]>([]);
  const text = draft ?? printed;
  const set = (next: string | null): void => {
    setDraft(next);
    setFaults(noFaults);
  };
  const runDraft = (written: string): void => {
    const read = readQueryText(written, language);
    if (!read.ok) {
      setFaults(read.faults);
      return;
    }
    const found = stateOfQuery(read.query, state, { timeZone, nowMs: Date.now() });
    set(null);
    setAdded(found.added);
    if (found.state.table !== state.table) void session.loadTable(found.state.table);
    dispatch({ kind: "open", state: found.state });
    dive();
  };
  return {
    ...{ text, isEdited: draft !== null, added },
    faults: useShownFaults(language, draft === null ? printed : null, problem, faults),
    edit: (next) => {
      if (next === text) return;
      set(next === printed ? null : next);
      setAdded([]);
    },
    revert: () => set(null),
    run: () => (draft === null ? dive() : runDraft(draft)),
  };
}

/** The current query as text; the previous text while it cannot be printed. */
function usePrinted(language: QueryLanguage): string {
  const { state, timeZone, columns, probe } = useFormQuery();
  const last = useRef("");
  return useMemo(() => {
    last.current = printedQuery(state, { timeZone, columns, probe }, language) ?? last.current;
    return last.current;
  }, [state, timeZone, columns, probe, language]);
}

/** Faults of the edited text, else those that the server found in the query. */
function useShownFaults(
  language: QueryLanguage,
  unedited: string | null,
  problem: HadalError | null,
  edited: readonly TextFault[],
): readonly TextFault[] {
  const [found, setFound] = useState(noFaults);
  useEffect(() => {
    const read = unedited === null || problem === null ? null : readQueryText(unedited, language);
    setFound(read?.ok === true && problem !== null ? read.faultsOf(problem) : noFaults);
  }, [language, unedited, problem]);
  return edited.length > 0 ? edited : unedited === null ? noFaults : found;
}

interface FaultListProps {
  readonly text: string;
  readonly faults: readonly TextFault[];
}

/** The faults with line and column. */
function FaultList({ text, faults }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <ul className={styles.faults} role="alert" data-testid="query-faults">
      {faults.slice(0, 5).map(({ from, detail }) => {
        const before = text.slice(0, from);
        const line = before.split("\n").length;
        const column = [...before.slice(before.lastIndexOf("\n") + 1)].length + 1;
        return (
          <li key={`${from} ${detail}`} className={styles.fault}>
            Line {line}, column {column}: {detail}
          </li>
        );
      })}
    </ul>
  );
}
