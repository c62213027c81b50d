import { type CsvParameters, type HadalClient, HadalError } from "@hadal/sdk";
import { FileUp } from "lucide-react";
import { type DragEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import { readExportedCsv } from "../file/exportedTypes.js";
import { previewFile } from "../file/previewFile.js";
import type { Preview } from "../file/readPreview.js";
import { FileFault, type RowFile, rowFile } from "../file/rowFile.js";
import { tableNameOf } from "../file/tableNameOf.js";
import type { TextFormat } from "../file/textFormat.js";
import { ImportPreview } from "./ImportPreview.js";

export interface ImportFileProps {
  readonly client: HadalClient;
  readonly table: string | null;
  /** A file that was dropped elsewhere on the page; null: none. */
  readonly dropped: File | null;
}

/** The chosen file and its preview. */
interface Chosen {
  readonly blob: Blob;
  readonly file: RowFile;
  readonly preview: Preview;
  /** The column types that the file itself names. */
  readonly csv: CsvParameters;
}

/** Takes a dropped, chosen or pasted file and shows its preview. */
export function ImportFile({ client, table, dropped }: ImportFileProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  /** Counts the choices: a preview of an earlier choice is discarded. */
  const newest = useRef(0);
  const choose = async (blob: Blob, name: string, format?: TextFormat): Promise<void> => {
    const mine = ++newest.current;
    try {
      const file = await rowFile(blob, name);
      const preview = await previewFile(client, file, table ?? tableNameOf(name), format);
      const csv = await readExportedCsv(file, preview);
      if (mine !== newest.current) return;
      setChosen({ blob, file, preview, csv });
      setFault(null);
    } catch (error) {
      if (!(error instanceof FileFault || error instanceof HadalError)) throw error;
      if (mine !== newest.current) return;
      // Another format that the file does not have leaves it as it is shown.
      if (format === undefined) setChosen(null);
      setFault(error.message);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per dropped file
  useEffect(() => {
    if (dropped !== null) void choose(dropped, dropped.name);
  }, [dropped]);
  if (chosen !== null) {
    return (
      <ImportPreview
        // Another file, or another format of it, starts with a new preview.
        key={`${chosen.preview.format} ${newest.current}`}
        client={client}
        file={chosen.file}
        preview={chosen.preview}
        csv={chosen.csv}
        table={table ?? tableNameOf(chosen.file.name)}
        tableFixed={table !== null}
        fault={fault}
        onFormat={(format) => void choose(chosen.blob, chosen.file.name, format)}
        onBack={() => setChosen(null)}
      />
    );
  }
  return (
    <>
      <DropZone onFile={(file) => void choose(file, file.name)} />
      <PasteRows onText={(text) => void choose(new Blob([text]), "pasted")} />
      {fault !== null && (
        <Strip tone="bad" testId="import-fault">
          {fault}
        </Strip>
      )}
    </>
  );
}

/** For the file chooser; the format is detected by the first bytes, not the name. */
const accepted =
  ".json,.ndjson,.jsonl,.csv,.tsv,.txt,.log,.parquet,.arrow,.arrows,.feather,.folded,.cpuprofile,.otlp,.pb,.binpb,.gz,.zst,application/json,text/csv,text/tab-separated-values,application/x-ndjson,application/gzip,application/zstd";

function DropZone({ onFile }: { readonly onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      className={styles.drop}
      data-over={over}
      data-testid="drop-zone"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <FileUp size={20} aria-hidden="true" />
      <span>
        Drop a file here, or <u>choose one</u>
      </span>
      <span className={styles.hint}>
        JSON lines, a JSON list, CSV or TSV with a header, log lines, Parquet, Arrow, folded stacks,
        .cpuprofile, OTLP as JSON or protobuf; also compressed with gzip or zstd
      </span>
      <input
        type="file"
        className={styles.hidden}
        data-testid="file-input"
        accept={accepted}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // Lets the reader choose the same file again after editing it.
          event.target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
    </label>
  );
}

function PasteRows({ onText }: { readonly onText: (text: string) => void }) {
  const [text, setText] = useState("");
  return (
    <div className={styles.paste}>
      <textarea
        className={styles.textarea}
        aria-label="Rows as text"
        data-testid="paste-rows"
        placeholder='…or paste rows:  {"time": "2026-11-21T09:00:00Z", "service": "checkout", "latency_us": 81234}'
        rows={4}
        value={text}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Button disabled={text.trim() === ""} data-testid="look-at-rows" onClick={() => onText(text)}>
        Preview rows
      </Button>
    </div>
  );
}
