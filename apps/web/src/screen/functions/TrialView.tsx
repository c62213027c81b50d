import type { FunctionTrialResult, TrialValue } from "@hadal/sdk";
import { formatMs } from "../../format/duration.js";
import { distinctKeys } from "../../format/name.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./functions.module.css";

export interface TrialViewProps {
  readonly trial: FunctionTrialResult;
  /** The columns that were passed; null: the whole row. */
  readonly args: readonly string[] | null;
}

interface TriedRow {
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly result: TrialValue;
}

/** The result for each row, and the console output. */
export function TrialView({ trial, args }: TrialViewProps) {
  const { kind, results, rows, log, elapsedMs } = trial;
  const failed = results.filter((result) => "error" in result).length;
  return (
    <div className={styles.trial} data-testid="trial">
      <p className={styles.hint}>
        {rows.length} newest rows in {formatMs(elapsedMs)}
        {failed > 0 && ` · ${failed} failed`}
      </p>
      {kind === "aggregate" ? (
        <p className={styles.answer}>
          {results.map((result) => (
            <Value key={JSON.stringify(result)} result={result} />
          ))}
        </p>
      ) : (
        <DataTable
          label="Results"
          columns={columnsOf(args ?? namesIn(rows))}
          rows={results.map((result, i) => ({ key: String(i), row: rows[i] ?? {}, result }))}
          rowKey={({ key }) => key}
          empty="The table has no rows yet."
        />
      )}
      {log.length > 0 && (
        <>
          <h3 className={styles.groupTitle}>Console</h3>
          <pre className={styles.console} data-testid="console">
            {log.join("\n")}
          </pre>
        </>
      )}
    </div>
  );
}

/** Columns shown of a whole row: enough to identify it. */
const shownMax = 8;

function namesIn(rows: FunctionTrialResult["rows"]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, shownMax);
}

function columnsOf(names: readonly string[]): readonly DataColumn<TriedRow>[] {
  const keys = distinctKeys(names);
  return [
    { key: "\u0000value", head: "Value", cell: ({ result }) => <Value result={result} /> },
    ...names.map(
      (name, i): DataColumn<TriedRow> => ({
        key: keys[i] ?? name,
        head: name,
        cell: ({ row }) => {
          const text = textOf(Object.hasOwn(row, name) ? row[name] : null);
          return (
            <span className={styles.cell} title={text}>
              {text}
            </span>
          );
        },
      }),
    ),
  ];
}

function Value({ result }: { readonly result: TrialValue }) {
  if ("error" in result) {
    const { detail, line } = result.error;
    return (
      <span className={styles.failed} title={detail}>
        {line === undefined ? "" : `line ${line}: `}
        {detail}
      </span>
    );
  }
  return (
    <span className={styles.value} data-missing={result.value === null}>
      {result.value === null ? "missing" : textOf(result.value)}
    </span>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}
