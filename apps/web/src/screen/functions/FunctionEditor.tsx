import type { UserFunction } from "@hadal/sdk";
import { Suspense, useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import { firstTable } from "../../query/state/opening.js";
import type { Session } from "../../session/session.js";
import { useWhyNot } from "../../session/useWhyNot.js";
import { Button } from "../../ui/button/Button.js";
import { Select } from "../../ui/button/Select.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { Strip } from "../../ui/page/Strip.js";
import { exploreUrlWith } from "./exploreWith.js";
import { columnsFor, shapeOf } from "./functionShape.js";
import styles from "./functions.module.css";
import { TrialView } from "./TrialView.js";
import { useFunctionWork } from "./useFunctionWork.js";

// The code editor is most of this screen's code, so the list is shown before it loads.
const SourceEditor = lazyPart(async () => (await import("./SourceEditor.js")).SourceEditor);

export interface FunctionEditorProps {
  readonly session: Session;
  /** null: a new function. */
  readonly saved: UserFunction | null;
  readonly onSaved: (name: string) => Promise<void>;
  readonly onDeleted: () => Promise<void>;
}

const freshSource = `(row) => {
  // A value for each row, from its columns: type row. to list them.
  return row.latency_us > 1e6 ? "slow" : "fast";
}`;

/** Edits a function: write it, run it on the newest rows, save it, use it. */
export function FunctionEditor(props: FunctionEditorProps) {
  const { session, saved } = props;
  const [name, setName] = useState(saved?.name ?? "");
  const [source, setSource] = useState(saved?.source ?? freshSource);
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const tried = useTriedTable(session);
  const whyNotSave = useWhyNot(session, "save");
  const { table, detail } = tried;
  const shape = useMemo(() => shapeOf(source), [source]);
  const columns = columnsFor(shape, detail?.columns ?? [], chosen);
  const args = shape.parameters.length > 0 ? columns : null;
  const work = useFunctionWork({ ...props, client: session.client, name, source });
  const run = (): void => void work.run(table, args);
  const canUse = saved !== null && saved.source === source && detail !== null;
  const useUrl = canUse
    ? exploreUrlWith(saved, { shape, columns, table: detail }, Date.now())
    : null;
  return (
    <section className={styles.work} aria-label="Function">
      <NameLine name={name} description={saved?.description} onChange={setName} />
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
      {work.outcome !== null && (
        <Strip tone={work.outcome.tone} testId="function-outcome">
          {work.outcome.text}
        </Strip>
      )}
      <div className={styles.line}>
        <TriedTableChoice
          tried={tried}
          parameters={shape.parameters}
          columns={columns}
          onChoose={(parameter, column) => setChosen({ ...chosen, [parameter]: column })}
        />
        <RunButton disabled={table === null} onRun={run} />
        <span className={styles.grow} />
        <SaveActions
          whyNot={whyNotSave}
          saved={saved}
          useUrl={useUrl}
          onDelete={work.remove}
          onSave={work.save}
        />
      </div>
      {work.trial !== null && <TrialView trial={work.trial} args={args} />}
    </section>
  );
}

interface RunButtonProps {
  readonly disabled: boolean;
  readonly onRun: () => void;
}

const RunButton = ({ disabled, onRun }: RunButtonProps) => (
  <Button
    data-testid="run-function"
    title="Run on the newest rows ( Ctrl ⏎ )"
    disabled={disabled}
    onClick={onRun}
  >
    Run
  </Button>
);

interface SaveActionsProps {
  /** Why the reader may not save; null: they may. */
  readonly whyNot: string | null;
  readonly saved: UserFunction | null;
  /**
   * The address of Explore with the function; null: it has unsaved changes, or its table is not
   * loaded.
   */
  readonly useUrl: string | null;
  readonly onDelete: () => Promise<void>;
  readonly onSave: () => Promise<void>;
}

function SaveActions({ whyNot, saved, useUrl, onDelete, onSave }: SaveActionsProps) {
  return (
    <>
      {saved !== null && !saved.example && whyNot === null && (
        <Button data-testid="delete-function" onClick={() => void onDelete()}>
          Delete
        </Button>
      )}
      {useUrl !== null && (
        <a className={styles.action} data-testid="use-function" href={useUrl}>
          Use in a query
        </a>
      )}
      <Button
        look="main"
        data-testid="save-function"
        disabled={whyNot !== null}
        title={whyNot ?? undefined}
        onClick={() => void onSave()}
      >
        Save
      </Button>
    </>
  );
}

interface NameLineProps {
  readonly name: string;
  readonly description: string | undefined;
  readonly onChange: (name: string) => void;
}

function NameLine({ name, description, onChange }: NameLineProps) {
  return (
    <div className={styles.line}>
      <label className={styles.labelled}>
        Name
        <input
          className={styles.input}
          data-testid="function-name"
          value={name}
          spellCheck={false}
          placeholder="speed"
          onChange={(event) => onChange(event.target.value)}
        />
      </label>
      {description !== undefined && <p className={styles.hint}>{description}</p>}
    </div>
  );
}

interface TriedTableChoiceProps {
  readonly tried: ReturnType<typeof useTriedTable>;
  readonly parameters: readonly string[];
  /** The column for each parameter. */
  readonly columns: readonly string[];
  readonly onChoose: (parameter: string, column: string) => void;
}

/** Chooses the table to run on, and a column for each parameter. */
function TriedTableChoice({ tried, parameters, columns, onChoose }: TriedTableChoiceProps) {
  const { tables, table, setTable, detail } = tried;
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
            value={columns[i] ?? ""}
            options={columnNames.map((column) => ({ value: column, label: column }))}
            onChange={(column) => onChoose(parameter, column)}
          />
        </span>
      ))}
    </>
  );
}

/** The table whose newest rows the function runs on. */
function useTriedTable(session: Session) {
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
