import type { UserFunction } from "@hadal/sdk";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { firstTable } from "../../query/state/opening.js";
import type { Session } from "../../session/session.js";
import { Button } from "../../ui/button/Button.js";
import { Select } from "../../ui/button/Select.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { Strip } from "../../ui/page/Strip.js";
import { exploreUrlWith } from "./exploreWith.js";
import { columnsFor, shapeOf } from "./functionShape.js";
import styles from "./functions.module.css";
import { TrialView } from "./TrialView.js";
import { useFunctionWork } from "./useFunctionWork.js";

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
export function FunctionEditor(props: FunctionEditorProps) {
  const { session, saved } = props;
  const [name, setName] = useState(saved?.name ?? "");
  const [source, setSource] = useState(saved?.source ?? freshSource);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const sample = useSampleTable(session);
  const { table, detail } = sample;
  const shape = useMemo(() => shapeOf(source), [source]);
  const args = columnsFor(shape, detail?.columns ?? [], chosen);
  const work = useFunctionWork({ ...props, client: session.client, name, source });
  const { outcome, trial } = work;
  const run = (): void => void work.run(table, shape.parameters.length > 0 ? args : null);
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
            faults={work.faults}
            onRun={run}
          />
        </Suspense>
      </div>
      {outcome !== null && (
        <Strip tone={outcome.tone} testId="function-outcome">
          {outcome.text}
        </Strip>
      )}
      <div className={styles.line}>
        <SampleChoice
          sample={sample}
          parameters={shape.parameters}
          args={args}
          onChoose={(parameter, column) => setChosen({ ...chosen, [parameter]: column })}
        />
        <Button
          data-testid="run-function"
          title="Run on the newest rows ( Ctrl ⏎ )"
          disabled={table === null}
          onClick={run}
        >
          Run
        </Button>
        <span className={styles.grow} />
        {saved !== null && !saved.example && (
          <Button data-testid="delete-function" onClick={() => void work.remove()}>
            Delete
          </Button>
        )}
        {saved !== null && saved.source === source && detail !== null && (
          <a
            className={styles.action}
            data-testid="use-function"
            href={exploreUrlWith(saved, { shape, columns: args, table: detail }, Date.now())}
          >
            Use in a query
          </a>
        )}
        <Button look="main" data-testid="save-function" onClick={() => void work.save()}>
          Save
        </Button>
      </div>
      {trial !== null && (
        <TrialView trial={trial} args={shape.parameters.length > 0 ? args : null} />
      )}
    </section>
  );
}

interface SampleChoiceProps {
  readonly sample: ReturnType<typeof useSampleTable>;
  readonly parameters: readonly string[];
  /** Per parameter its column. */
  readonly args: readonly string[];
  readonly onChoose: (parameter: string, column: string) => void;
}

/** The table to try the function on, and a column for each of its parameters. */
function SampleChoice({ sample, parameters, args, onChoose }: SampleChoiceProps) {
  const { tables, table, setTable, detail } = sample;
  const columnNames = (detail?.columns ?? []).map((column) => column.name);
  return (
    <>
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
      {parameters.map((parameter, i) => (
        <span key={parameter} className={styles.labelled}>
          {parameter} =
          <Select
            label={`Column for ${parameter}`}
            value={args[i] ?? ""}
            options={columnNames.map((column) => ({ value: column, label: column }))}
            onChange={(column) => onChoose(parameter, column)}
          />
        </span>
      ))}
    </>
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
