import { json } from "@codemirror/lang-json";
import { PostgreSQL, sql } from "@codemirror/lang-sql";
import type { HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import {
  type QueryLanguage,
  readQueryText,
  type TextFault,
} from "../../../../draft/text/queryText.js";
import { stateOfQuery } from "../../../../draft/text/stateOfQuery.js";
import { Button } from "../../../../ui/button/Button.js";
import { CodeEditor } from "../../../../ui/code/CodeEditor.js";
import { useExplore } from "../../explore.js";
import styles from "../part/form.module.css";
import { completeQuery } from "./completeQuery.js";
import { printedQuery } from "./printedQuery.js";

const noFaults: readonly TextFault[] = [];

export interface QueryTextProps {
  readonly language: QueryLanguage;
}

/** The question as text, editable: it follows the form until somebody writes, and the form follows it when it is asked. */
export function QueryText({ language }: QueryTextProps) {
  const explore = useExplore();
  const { session, state, columns, timeZone, problem, dispatch, dive } = explore;
  const printed = usePrinted(language);
  // What was written and not yet asked; null: nothing.
  const [draft, setDraft] = useState<string | null>(null);
  const [faults, setFaults] = useState(noFaults);
  const [added, setAdded] = useState<readonly string[]>([]);
  const text = draft ?? printed;
  const tables = useStore(session).tables ?? [];
  const languageSupport = useMemo(
    () => (language === "sql" ? sql({ dialect: PostgreSQL }) : json()),
    [language],
  );
  const complete = useMemo(
    () => completeQuery(language, tables, columns),
    [language, tables, columns],
  );
  const shownFaults = useShownFaults(language, draft === null ? printed : null, problem, faults);
  const ask = (): void => {
    if (draft === null) {
      dive();
      return;
    }
    const read = readQueryText(draft, language);
    if (!read.ok) {
      setFaults(read.faults);
      return;
    }
    const found = stateOfQuery(read.query, state, { timeZone, nowMs: Date.now() });
    setDraft(null);
    setFaults(noFaults);
    setAdded(found.added);
    if (found.state.table !== state.table) void session.loadTable(found.state.table);
    dispatch({ kind: "open", state: found.state });
    dive();
  };
  return (
    <div className={styles.query}>
      <CodeEditor
        label={language === "sql" ? "Query in SQL" : "Query in JSON"}
        testId="query-text"
        value={text}
        language={languageSupport}
        faults={shownFaults}
        complete={complete}
        onChange={(next) => {
          if (next === text) return;
          setDraft(next === printed ? null : next);
          setFaults(noFaults);
          setAdded([]);
        }}
        onSubmit={ask}
      />
      <FaultList text={text} faults={shownFaults} />
      {added.length > 0 && (
        <p className={styles.hint} role="status" data-testid="query-added">
          The view adds {added.join(" and ")}.
        </p>
      )}
      {state.view === "query" && draft === null && (
        <p className={styles.hint} role="status" data-testid="query-as-written">
          The form has no fields for all of it: it is asked exactly as written.
        </p>
      )}
      <div className={styles.line}>
        <Button look="main" className={styles.dive} data-testid="query-apply" onClick={ask}>
          Dive <kbd>Ctrl ⏎</kbd>
        </Button>
        {draft !== null && (
          <Button
            data-testid="query-revert"
            onClick={() => {
              setDraft(null);
              setFaults(noFaults);
            }}
          >
            Revert
          </Button>
        )}
      </div>
    </div>
  );
}

/** The present query as text; the last one where it cannot be printed, or not yet. */
function usePrinted(language: QueryLanguage): string {
  const { state, timeZone, columns, probe } = useExplore();
  const last = useRef("");
  return useMemo(() => {
    last.current = printedQuery(state, { timeZone, columns, probe }, language) ?? last.current;
    return last.current;
  }, [state, timeZone, columns, probe, language]);
}

/** Faults of what is written, else those that the server found in what was asked. */
function useShownFaults(
  language: QueryLanguage,
  asked: string | null,
  problem: HadalError | null,
  written: readonly TextFault[],
): readonly TextFault[] {
  const [found, setFound] = useState(noFaults);
  useEffect(() => {
    const read = asked === null || problem === null ? null : readQueryText(asked, language);
    setFound(read?.ok === true && problem !== null ? read.faultsOf(problem) : noFaults);
  }, [language, asked, problem]);
  return written.length > 0 ? written : asked === null ? noFaults : found;
}

interface FaultListProps {
  readonly text: string;
  readonly faults: readonly TextFault[];
}

/** What is wrong, with line and column. */
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
