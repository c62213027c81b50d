import {
  type CsvParameters,
  followCsv,
  type HadalClient,
  HadalError,
  nameFault,
  type RowsPreview,
} from "@hadal/sdk";
import { useRef, useState } from "react";
import { formatExact } from "../../format/number.js";
import { formatBytes } from "../../format/value.js";
import { Button } from "../../ui/Button.js";
import { DataTable } from "../../ui/DataTable.js";
import { Meter } from "../../ui/Meter.js";
import { Select } from "../../ui/Select.js";
import { Strip } from "../../ui/Strip.js";
import { CsvFields } from "./CsvFields.js";
import { wholeBytesMax } from "./cutBody.js";
import { ImportResult, RejectedRows } from "./ImportResult.js";
import { PreviewTable } from "./PreviewTable.js";
import type { Preview } from "./readPreview.js";
import styles from "./tables.module.css";
import { type UploadState, uploadFile } from "./uploadFile.js";
import { useStoredPreview } from "./useStoredPreview.js";

export interface ImportPreviewProps {
  readonly client: HadalClient;
  readonly file: Blob;
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

/** The first rows as they will be, the time column, and the way in. */
export function ImportPreview(props: ImportPreviewProps) {
  const { client, file, preview } = props;
  const [table, setTable] = useState(props.table);
  const [timeColumn, setTimeColumn] = useState(preview.timeColumn);
  const [stage, setStage] = useState<Stage>({ kind: "looking" });
  const [csv, setCsv] = useState(props.csv);
  const stop = useRef<AbortController | null>(null);
  const asked = {
    file,
    // A name that no table can have is told beside its field.
    table: nameFault(table) === null ? table : props.table,
    format: preview.format,
    timeColumn,
    csv,
  };
  const { preview: stored, problem } = useStoredPreview(client, asked);
  const names = columnNames(preview, stored);
  const fault =
    problem === null ? faultOf(table, timeColumn, props) : { text: problem, blocks: true };

  const send = async (): Promise<void> => {
    if (timeColumn === null) return;
    stop.current = new AbortController();
    let state: UploadState = { bytesSent: 0, accepted: 0, rejected: 0, problems: [] };
    setStage({ kind: "sending", state: null });
    try {
      await uploadFile(
        client,
        {
          file,
          table,
          format: preview.format,
          timeColumn,
          csv: stored?.csv === undefined ? null : followCsv(csv, stored.csv),
        },
        (next) => {
          state = next;
          setStage({ kind: "sending", state });
        },
        stop.current.signal,
      );
      setStage({ kind: "done", state, problem: null });
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      const problem = error.code === "cancelled" ? "You stopped it." : error.message;
      setStage({ kind: "done", state, problem });
    }
  };
  if (stage.kind === "done") {
    return (
      <ImportResult
        table={table}
        state={stage.state}
        problem={stage.problem}
        onBack={props.onBack}
      />
    );
  }
  return (
    <div className={styles.import}>
      <div className={styles.line}>
        <label className={styles.labelled}>
          Table
          <input
            className={styles.input}
            data-testid="import-table"
            value={table}
            readOnly={props.tableFixed}
            spellCheck={false}
            onChange={(event) => setTable(event.target.value)}
          />
        </label>
        <span className={styles.labelled}>
          Time of a row
          <Select
            label="Time of a row"
            testId="import-time"
            value={timeColumn ?? ""}
            options={[
              ...(timeColumn === null ? [{ value: "", label: "choose…" }] : []),
              ...names.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(name) => {
              setTimeColumn(name === "" ? null : name);
              // The time has no other type.
              setCsv({ ...csv, types: undefined });
            }}
          />
        </span>
        <span className={styles.grow} />
        {stage.kind === "sending" ? (
          <Button onClick={() => stop.current?.abort()}>Stop</Button>
        ) : (
          <>
            <Button onClick={props.onBack}>Back</Button>
            <Button
              look="main"
              data-testid="import"
              disabled={fault?.blocks === true || stored === null}
              onClick={() => void send()}
            >
              Add the rows
            </Button>
          </>
        )}
      </div>
      {fault !== null && <Strip tone="warn">{fault.text}</Strip>}
      {stage.kind === "sending" && <Progress state={stage.state} size={file.size} />}
      {preview.format === "csv" && (
        <CsvFields csv={csv} reading={stored?.csv ?? null} onChange={setCsv} />
      )}
      <p className={styles.hint}>
        The first of {formatBytes(file.size)},{" "}
        {timeColumn === null ? "as they came." : "as they will be stored."}
      </p>
      {timeColumn === null || stored === null ? (
        <RowsAsTheyCame preview={preview} />
      ) : (
        <PreviewTable preview={stored} timeColumn={timeColumn} csv={csv} onCsv={setCsv} />
      )}
      {timeColumn !== null && stored !== null && stored.rejected > 0 && (
        <>
          <Strip tone="warn" testId="preview-rejected">
            Of {formatExact(stored.accepted + stored.rejected)} rows {formatExact(stored.rejected)}{" "}
            would be rejected.
          </Strip>
          <RejectedRows problems={stored.problems} />
        </>
      )}
    </div>
  );
}

/** What may hold the time: the names that the server found, or those of the rows. */
function columnNames(preview: Preview, stored: RowsPreview | null): readonly string[] {
  const names = preview.columns.map(({ name }) => name);
  const found = stored?.csv?.columns.map(({ name }) => name) ?? [];
  // With another delimiter the header has other names.
  return [...new Set([...names, ...found])];
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

/** What stands in the way, in words. */
function faultOf(
  table: string,
  timeColumn: string | null,
  { preview, file }: ImportPreviewProps,
): Hint | null {
  const name = nameFault(table);
  if (name !== null) return blocks(name);
  if (preview.format === "json" && file.size > wholeBytesMax) {
    const text = `A JSON list goes in one piece, of at most ${formatBytes(wholeBytesMax)}: write it as JSON lines, or use “npx hadal ingest”.`;
    return blocks(text);
  }
  if (timeColumn === null) {
    return blocks(
      "Every row needs a time: milliseconds since 1970, or such as 2026-11-21T09:00:00Z. Which column holds it?",
    );
  }
  const column = preview.columns.find(({ name: other }) => other === timeColumn);
  if (column === undefined || column.timeShare === 1) return null;
  const text = `Not every ${timeColumn} looks like a time: rows without milliseconds since 1970, or such as 2026-11-21T09:00:00Z, are rejected.`;
  return { text, blocks: false };
}

/** What to know before the rows go in; some of it has to be mended first. */
interface Hint {
  readonly text: string;
  readonly blocks: boolean;
}

const blocks = (text: string): Hint => ({ text, blocks: true });

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
