import {
  type CsvParameters,
  followCsv,
  type HadalClient,
  HadalError,
  nameFault,
  type RowsPreview,
} from "@hadal/sdk";
import { useRef, useState } from "react";
import { formatExact } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatBytes } from "../../../format/value.js";
import { Button } from "../../../ui/button/Button.js";
import { Meter } from "../../../ui/button/Meter.js";
import { Select } from "../../../ui/button/Select.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import type { HowRead } from "../file/howRead.js";
import type { Preview } from "../file/readPreview.js";
import { FileFault, type RowFile } from "../file/rowFile.js";
import { type UploadState, uploadFile } from "../file/uploadFile.js";
import { CsvFields } from "./CsvFields.js";
import { ImportResult, RejectedRows } from "./ImportResult.js";
import { importHint } from "./importHint.js";
import { PreviewTable } from "./PreviewTable.js";
import { TimeFields } from "./TimeFields.js";
import { useStoredPreview } from "./useStoredPreview.js";

export interface ImportPreviewProps {
  readonly client: HadalClient;
  readonly file: RowFile;
  readonly preview: Preview;
  /** How the file says that it is read. */
  readonly csv: CsvParameters;
  /** The table it goes to, or the name that suggests itself. */
  readonly table: string;
  readonly tableFixed: boolean;
  readonly onBack: () => void;
}

type Stage =
  | { readonly kind: "looking" }
  | { readonly kind: "sending"; readonly state: UploadState | null }
  | { readonly kind: "done"; readonly state: UploadState; readonly problem: string | null };

/** The first rows as they will be, how they are read, and the way in. */
export function ImportPreview(props: ImportPreviewProps) {
  const { client, file, preview } = props;
  const { format } = preview;
  const [table, setTable] = useState(props.table);
  const [how, setHow] = useState<HowRead>(() => firstReading(props));
  const { stage, send, stop } = useUpload(client);
  const change = (part: Partial<HowRead>): void => setHow({ ...how, ...part });
  // An invalid table name is reported beside its field.
  const asked = { file, table: nameFault(table) === null ? table : props.table, format, how };
  const { preview: stored, problem } = useStoredPreview(client, asked);
  const hint =
    problem === null ? importHint({ table, how, file, preview }) : { text: problem, blocks: true };
  if (stage.kind === "done") {
    return <ImportResult client={client} table={table} {...stage} onBack={props.onBack} />;
  }
  const csv = stored?.csv === undefined ? how.csv : followCsv(how.csv, stored.csv);
  const hasRows = how.timeColumn !== null && stored !== null;
  return (
    <div className={styles.import}>
      <div className={styles.line}>
        <TableField table={table} fixed={props.tableFixed} onChange={setTable} />
        <TimeColumn
          column={how.timeColumn}
          names={columnNames(preview, stored)}
          // The time has no other type.
          onChange={(timeColumn) => change({ timeColumn, csv: { ...how.csv, types: undefined } })}
        />
        <span className={styles.grow} />
        {stage.kind === "sending" ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <>
            <Button onClick={props.onBack}>Back</Button>
            <Button
              look="main"
              data-testid="import"
              disabled={hint?.blocks === true || stored === null}
              onClick={() => void send({ file, table, format, how: { ...how, csv } })}
            >
              Add the rows
            </Button>
          </>
        )}
      </div>
      {hint !== null && <Strip tone="warn">{hint.text}</Strip>}
      {stage.kind === "sending" && <Progress state={stage.state} size={file.size} />}
      {how.timeColumn !== null && (
        <TimeFields
          how={how}
          hasNumbers={holdsNumbers(preview, how.timeColumn)}
          times={stored?.times ?? null}
          onChange={change}
        />
      )}
      {format === "csv" && (
        <CsvFields
          csv={how.csv}
          reading={stored?.csv ?? null}
          onChange={(next) => change({ csv: next })}
        />
      )}
      <p className={styles.hint}>
        {sourceText(file, stored)} {hasRows ? "as they will be stored." : "as they came."}
      </p>
      {hasRows ? (
        <PreviewTable
          preview={stored}
          timeColumn={how.timeColumn ?? ""}
          csv={how.csv}
          onCsv={(next) => change({ csv: next })}
        />
      ) : (
        <RowsAsTheyCame preview={preview} />
      )}
      {hasRows && stored.rejected > 0 && <WouldBeRejected stored={stored} />}
    </div>
  );
}

function firstReading({ preview: { timeColumn }, csv }: ImportPreviewProps): HowRead {
  return { timeColumn, timeUnit: "auto", timeZone: ownTimeZone(), csv };
}

function holdsNumbers({ columns }: Preview, column: string): boolean {
  const type = columns.find(({ name }) => name === column)?.type;
  return type === "integer" || type === "decimal";
}

interface Sending {
  readonly stage: Stage;
  readonly send: (upload: Parameters<typeof uploadFile>[1]) => Promise<void>;
  readonly stop: () => void;
}

function useUpload(client: HadalClient): Sending {
  const [stage, setStage] = useState<Stage>({ kind: "looking" });
  const stopping = useRef<AbortController | null>(null);
  return {
    stage,
    stop: () => stopping.current?.abort(),
    async send(upload) {
      stopping.current = new AbortController();
      let state: UploadState = { bytesSent: 0, accepted: 0, rejected: 0, problems: [] };
      const show = (next: UploadState): void => {
        state = next;
        setStage({ kind: "sending", state });
      };
      setStage({ kind: "sending", state: null });
      try {
        await uploadFile(client, upload, show, stopping.current.signal);
        setStage({ kind: "done", state, problem: null });
      } catch (error) {
        if (!(error instanceof HadalError || error instanceof FileFault)) throw error;
        const isStopped = error instanceof HadalError && error.code === "cancelled";
        setStage({ kind: "done", state, problem: isStopped ? "You stopped it." : error.message });
      }
    },
  };
}

interface TableFieldProps {
  readonly table: string;
  readonly fixed: boolean;
  readonly onChange: (table: string) => void;
}

function TableField({ table, fixed, onChange }: TableFieldProps) {
  return (
    <label className={styles.labelled}>
      Table
      <input
        className={styles.input}
        data-testid="import-table"
        value={table}
        readOnly={fixed}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

interface TimeColumnProps {
  readonly column: string | null;
  readonly names: readonly string[];
  readonly onChange: (column: string | null) => void;
}

function TimeColumn({ column, names, onChange }: TimeColumnProps) {
  return (
    <span className={styles.labelled}>
      Time of a row
      <Select
        label="Time of a row"
        testId="import-time"
        value={column ?? ""}
        options={[
          ...(column === null ? [{ value: "", label: "choose…" }] : []),
          ...names.map((name) => ({ value: name, label: name })),
        ]}
        onChange={(name) => onChange(name === "" ? null : name)}
      />
    </span>
  );
}

/** What may hold the time: the names that the server found, or those of the rows. */
function columnNames(preview: Preview, stored: RowsPreview | null): readonly string[] {
  const names = preview.columns.map(({ name }) => name);
  const found = stored?.csv?.columns.map(({ name }) => name) ?? [];
  // With another delimiter the header has other names.
  return [...new Set([...names, ...found])];
}

/** Parquet is looked at whole: its server has counted the rows. */
function sourceText({ size, isPacked }: RowFile, stored: RowsPreview | null): string {
  if (stored?.parquet !== undefined)
    return `The first of ${formatExact(stored.parquet.rows)} rows,`;
  return `The first of ${formatBytes(size)}${isPacked ? ", packed," : ","}`;
}

function WouldBeRejected({ stored }: { readonly stored: RowsPreview }) {
  return (
    <>
      <Strip tone="warn" testId="preview-rejected">
        Of {formatExact(stored.accepted + stored.rejected)} rows {formatExact(stored.rejected)}{" "}
        would be rejected.
      </Strip>
      <RejectedRows problems={stored.problems} />
    </>
  );
}

interface RowAsItCame {
  readonly key: string;
  readonly row: Preview["rows"][number];
}

/** Until somebody says which column is the time, nothing of them can be stored. */
function RowsAsTheyCame({ preview }: { readonly preview: Preview }) {
  return (
    <DataTable
      label="First rows"
      testId="import-preview"
      columns={preview.columns.map(({ name }) => ({
        key: name,
        head: name,
        cell: ({ row }: RowAsItCame) => (
          <span className={styles.previewCell} title={textOf(row[name])}>
            {textOf(row[name])}
          </span>
        ),
      }))}
      rows={preview.rows.slice(0, 10).map((row, i) => ({ row, key: String(i) }))}
      rowKey={({ key }) => key}
    />
  );
}

function Progress({ state, size }: { readonly state: UploadState | null; readonly size: number }) {
  return (
    <p className={styles.progress} role="status">
      <Meter label="Sent" share={size === 0 ? 1 : (state?.bytesSent ?? 0) / size} warnFrom={2} />
      {formatExact(state?.accepted ?? 0)} rows
      {(state?.rejected ?? 0) > 0 && `, ${formatExact(state?.rejected ?? 0)} rejected`}
    </p>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
