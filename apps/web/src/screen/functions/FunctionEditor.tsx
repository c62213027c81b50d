import { type FunctionTrialResult, HadalError, nameFault, type UserFunction } from "@hadal/sdk";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { firstTable } from "../../query/state/opening.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Select } from "../../ui/button/Select.js";
import type { CodeFault } from "../../ui/code/CodeEditor.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { Strip } from "../../ui/page/Strip.js";
import { exploreUrlWith } from "./exploreWith.js";
import { columnsFor, shapeOf } from "./functionShape.js";
import styles from "./functions.module.css";
import { faultsOf, messageOf, placesIn } from "./sourceFaults.js";
import { TrialView } from "./TrialView.js";

// The editor is most of this screen's code: the list is there before it.
const SourceEditor = lazyPart(async () => (await import("./SourceEditor.js")).SourceEditor);

export interface FunctionEditorProps {
  readonly session: Session;
  /** null: a new function. */
  readonly saved: UserFunction | null;
  readonly onSaved: (name: string) => Promise<void>;
  readonly onDeleted: () => Promise<void>;
}

const freshSource = `(row) => {
  // A value for each row, from its columns: type row. to see them.
  return row.latency_us > 1e6 ? "slow" : "fast";
}`;

/** Write, run on the newest rows, save, use. */
export function FunctionEditor({ session, saved, onSaved, onDeleted }: FunctionEditorProps) {
  const [name, setName] = useState(saved?.name ?? "");
  const [source, setSource] = useState(saved?.source ?? freshSource);
  const [outcome, setOutcome] = useState<{ tone: "bad" | "good"; text: string } | null>(null);
  const [faults, setFaults] = useState<readonly CodeFault[]>([]);
  const [trial, setTrial] = useState<FunctionTrialResult | null>(null);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const { tables, table, setTable, detail } = useSampleTable(session);
  const shape = useMemo(() => shapeOf(source), [source]);
  const columnNames = (detail?.columns ?? []).map((column) => column.name);
  const args = columnsFor(shape, detail?.columns ?? [], chosen);
  const { client } = session;

  /** Does something with the source; what is wrong with it is shown in it. */
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setOutcome(null);
    setFaults([]);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setFaults(placesIn(source, faultsOf(error)));
      setOutcome({ tone: "bad", text: messageOf(error) });
    }
  };
  const run = (): Promise<void> =>
    attempt(async () => {
      if (table === null) return;
      const result = await client.tryFunction({
        source,
        table,
        ...(shape.parameters.length > 0 && { args }),
      });
      setTrial(result);
      setFaults(placesIn(source, faultsOf(result)));
    });
  const save = (): Promise<void> =>
    attempt(async () => {
      const fault = nameFault(name);
      if (fault !== null) {
        setOutcome({ tone: "bad", text: name === "" ? "Give it a name first." : fault });
        return;
      }
      // An example is not replaced: one's own of the same name takes its place.
      const isNext = saved !== null && !saved.example && saved.name === name;
      const options = isNext ? { version: saved.version } : {};
      const description = saved?.description;
      const next = await client.saveFunction(
        name,
        { source, ...(description !== undefined && { description }) },
        options,
      );
      setOutcome({ tone: "good", text: `Saved as version ${next.version}.` });
      await onSaved(next.name);
    });
  const remove = (): Promise<void> =>
    attempt(async () => {
      if (saved === null) return;
      await client.deleteFunction(saved.name);
      await onDeleted();
    });

  const usable = saved !== null && saved.source === source && detail !== null;
  return (
    <section className={styles.work} aria-label="Function">
      <div className={styles.line}>
        <label className={styles.labelled}>
          Name
          <input
            className={styles.input}
            data-testid="function-name"
            value={name}
            spellCheck={false}
            placeholder="speed"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        {saved?.description !== undefined && <p className={styles.hint}>{saved.description}</p>}
      </div>
      <div className={styles.editor}>
        <Suspense fallback={<div className={styles.awaited} aria-busy="true" />}>
          <SourceEditor
            value={source}
            onChange={setSource}
            columns={detail?.columns ?? []}
            faults={faults}
            onRun={() => void run()}
          />
        </Suspense>
      </div>
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="function-outcome">
          {outcome.text}
        </Strip>
      )}
      <div className={styles.line}>
        <span className={styles.labelled}>
          Rows of
          <Select
            label="Rows of"
            testId="function-table"
            value={table ?? ""}
            options={tables.map((one) => ({ value: one, label: one }))}
            onChange={setTable}
          />
        </span>
        {shape.parameters.map((parameter, i) => (
          <span key={parameter} className={styles.labelled}>
            {parameter} =
            <Select
              label={`Column for ${parameter}`}
              value={args[i] ?? ""}
              options={columnNames.map((column) => ({ value: column, label: column }))}
              onChange={(column) => setChosen({ ...chosen, [parameter]: column })}
            />
          </span>
        ))}
        <Button
          data-testid="run-function"
          title="Run on the newest rows ( Ctrl ⏎ )"
          disabled={table === null}
          onClick={() => void run()}
        >
          Run
        </Button>
        <span className={styles.grow} />
        {saved !== null && !saved.example && (
          <Button data-testid="delete-function" onClick={() => void remove()}>
            Delete
          </Button>
        )}
        {usable && (
          <a
            className={styles.action}
            data-testid="use-function"
            href={exploreUrlWith(saved, { shape, columns: args, table: detail }, Date.now())}
          >
            Use in a query
          </a>
        )}
        <Button look="main" data-testid="save-function" onClick={() => void save()}>
          Save
        </Button>
      </div>
      {trial !== null && (
        <TrialView trial={trial} args={shape.parameters.length > 0 ? args : null} />
      )}
    </section>
  );
}

/** The table whose newest rows the function is tried on. */
function useSampleTable(session: Session) {
  const { tables, details } = useStore(session);
  const [picked, setTable] = useState<string | null>(null);
  const table = picked ?? firstTable(tables ?? []);
  useEffect(() => {
    if (table !== null) void session.loadTable(table);
  }, [session, table]);
  return {
    tables: (tables ?? []).map(({ name }) => name),
    table,
    setTable,
    detail: (table === null ? undefined : details.get(table)) ?? null,
  };
}
