import {
  type CsvParameters,
  followCsv,
  type HadalClient,
  nameFault,
  type RowsPreview,
} from "@hadal/sdk";
import { useState } from "react";
import { formatExact } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatBytes } from "../../../format/value.js";
import { Button } from "../../../ui/button/Button.js";
import { Meter } from "../../../ui/button/Meter.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import type { ReadOptions } from "../file/readOptions.js";
import { hasOwnTime, type Preview } from "../file/readPreview.js";
import type { RowFile } from "../file/rowFile.js";
import type { TextFormat } from "../file/textFormat.js";
import type { UploadState } from "../file/uploadFile.js";
import { CsvFields } from "./CsvFields.js";
import { FileRows } from "./FileRows.js";
import { FormatField, PatternField } from "./FormatFields.js";
import { ImportResult, RejectedRows } from "./ImportResult.js";
import { importHint } from "./importHint.js";
import { PreviewTable } from "./PreviewTable.js";
import { TableField, TimeColumnField } from "./TargetFields.js";
import { TimeFields } from "./TimeFields.js";
import { containsNumbers, timeCandidates } from "./timeCandidates.js";
import { useStoredPreview } from "./useStoredPreview.js";
import { useUpload } from "./useUpload.js";

export interface ImportPreviewProps {
  readonly client: HadalClient;
  readonly file: RowFile;
  readonly preview: Preview;
  /** The column types that the file itself names. */
  readonly csv: CsvParameters;
  /** The target table, or a suggested name. */
  readonly table: string;
  readonly tableFixed: boolean;
  /** Why the file does not have the format that was chosen last; null: it has. */
  readonly fault: string | null;
  readonly onFormat: (format: TextFormat) => void;
  readonly onBack: () => void;
}

/** The first rows as they will be stored, how they are read, and the button that adds them. */
export function ImportPreview(props: ImportPreviewProps) {
  const { client, file, preview } = props;
  const { format } = preview;
  const [table, setTable] = useState(props.table);
  const [readOptions, setReadOptions] = useState<ReadOptions>(() => firstReading(props));
  const { stage, send, stop } = useUpload(client);
  const change = (part: Partial<ReadOptions>): void => setReadOptions({ ...readOptions, ...part });
  // An invalid table name is reported beside its field.
  const asked = {
    file,
    table: nameFault(table) === null ? table : props.table,
    format,
    readOptions,
  };
  const { preview: stored, problem } = useStoredPreview(client, asked);
  const hint =
    problem === null
      ? importHint({ table, readOptions, file, preview })
      : { text: problem, blocks: true };
  if (stage.kind === "done") {
    return <ImportResult client={client} table={table} {...stage} onBack={props.onBack} />;
  }
  const csv = stored?.csv === undefined ? readOptions.csv : followCsv(readOptions.csv, stored.csv);
  return (
    <div className={styles.import}>
      <div className={styles.line}>
        <TableField table={table} fixed={props.tableFixed} onChange={setTable} />
        <FormatField format={format} onChange={props.onFormat} />
        {!hasOwnTime(format) && (
          <TimeColumnField
            column={readOptions.timeColumn}
            names={timeCandidates(preview, stored)}
            // Chosen types are dropped: the new time column takes none.
            onChange={(timeColumn) =>
              change({ timeColumn, csv: { ...readOptions.csv, types: undefined } })
            }
          />
        )}
        <span className={styles.grow} />
        {stage.kind === "sending" ? (
          <Button onClick={stop}>Stop</Button>
        ) : (
          <StartButtons
            disabled={hint?.blocks === true || stored === null}
            onBack={props.onBack}
            onStart={() => void send({ file, table, format, readOptions: { ...readOptions, csv } })}
          />
        )}
      </div>
      {props.fault !== null && (
        <Strip tone="bad" testId="import-fault">
          {props.fault}
        </Strip>
      )}
      {hint !== null && <Strip tone="warn">{hint.text}</Strip>}
      {stage.kind === "sending" && <Progress state={stage.state} size={file.size} />}
      <ReadFields preview={preview} readOptions={readOptions} stored={stored} onChange={change} />
      <FirstRows
        file={file}
        preview={preview}
        readOptions={readOptions}
        stored={stored}
        onChange={change}
      />
    </div>
  );
}

interface StartButtonsProps {
  readonly disabled: boolean;
  readonly onBack: () => void;
  readonly onStart: () => void;
}

function StartButtons({ disabled, onBack, onStart }: StartButtonsProps) {
  return (
    <>
      <Button onClick={onBack}>Back</Button>
      <Button look="main" data-testid="import" disabled={disabled} onClick={onStart}>
        Add the rows
      </Button>
    </>
  );
}

function firstReading({ preview, file, csv }: ImportPreviewProps): ReadOptions {
  const { timeColumn, pattern } = preview;
  return {
    ...{ timeColumn, timeUnit: "auto", timeZone: ownTimeZone(), csv },
    ...(pattern === undefined ? {} : { pattern }),
    ...(file.changedMs === null ? {} : { at: new Date(file.changedMs).toISOString() }),
  };
}

interface ReadFieldsProps {
  readonly preview: Preview;
  readonly readOptions: ReadOptions;
  readonly stored: RowsPreview | null;
  readonly onChange: (part: Partial<ReadOptions>) => void;
}

/** How times and CSV are read. */
function ReadFields({ preview, readOptions, stored, onChange }: ReadFieldsProps) {
  return (
    <>
      {readOptions.timeColumn !== null && (
        <TimeFields
          readOptions={readOptions}
          hasNumbers={containsNumbers(preview, readOptions.timeColumn)}
          times={stored?.times ?? null}
          onChange={onChange}
        />
      )}
      {preview.format === "raw" && (
        <PatternField
          pattern={readOptions.pattern ?? "plain"}
          onChange={(pattern) => onChange({ pattern })}
        />
      )}
      {preview.format === "csv" && (
        <CsvFields
          csv={readOptions.csv}
          reading={stored?.csv ?? null}
          onChange={(csv) => onChange({ csv })}
        />
      )}
    </>
  );
}

interface FirstRowsProps extends ReadFieldsProps {
  readonly file: RowFile;
}

/** The first rows as they will be stored; as in the file while no time column is chosen. */
function FirstRows({ file, preview, readOptions, stored, onChange }: FirstRowsProps) {
  const { timeColumn, csv } = readOptions;
  const source = sourceText(file, stored);
  if (timeColumn === null || stored === null) {
    return (
      <>
        <p className={styles.hint}>{source} as in the file.</p>
        <FileRows preview={preview} />
      </>
    );
  }
  return (
    <>
      <p className={styles.hint}>{source} as they will be stored.</p>
      <PreviewTable
        preview={stored}
        timeColumn={timeColumn}
        csv={csv}
        onCsv={(next) => onChange({ csv: next })}
      />
      {stored.rejected > 0 && <WouldBeRejected stored={stored} />}
    </>
  );
}

/** The size of the source; for Parquet the number of rows, which the server counts. */
function sourceText({ size, isPacked }: RowFile, stored: RowsPreview | null): string {
  if (stored?.parquet !== undefined)
    return `The first of ${formatExact(stored.parquet.rows)} rows,`;
  return `The first of ${formatBytes(size)}${isPacked ? ", compressed," : ","}`;
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

function Progress({ state, size }: { readonly state: UploadState | null; readonly size: number }) {
  return (
    <p className={styles.progress} role="status">
      <Meter label="Sent" share={size === 0 ? 1 : (state?.bytesSent ?? 0) / size} warnFrom={2} />
      {formatExact(state?.accepted ?? 0)} rows
      {(state?.rejected ?? 0) > 0 && `, ${formatExact(state?.rejected ?? 0)} rejected`}
    </p>
  );
}
