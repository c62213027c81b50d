import type { CsvParameters, HadalClient } from "@hadal/sdk";
import { FileUp } from "lucide-react";
import { type DragEvent, useState } from "react";
import { Button } from "../../ui/Button.js";
import { Strip } from "../../ui/Strip.js";
import { readExportedCsv } from "./exportedTypes.js";
import { ImportPreview } from "./ImportPreview.js";
import { type Preview, readPreview } from "./readPreview.js";
import styles from "./tables.module.css";

export interface ImportFileProps {
  readonly client: HadalClient;
  readonly table: string | null;
}

/** What was chosen, and what it looks like. */
interface Chosen {
  readonly file: Blob;
  readonly name: string;
  readonly preview: Preview;
  /** How it says itself that it is read. */
  readonly csv: CsvParameters;
}

/** Enough for fifty long rows; the rest is read when it is sent. */
const previewBytes = 256 * 1024;

/** Drop a file or paste rows; look at them before they go in. */
export function ImportFile({ client, table }: ImportFileProps) {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const choose = async (file: Blob, name: string): Promise<void> => {
    try {
      const preview = readPreview(await file.slice(0, previewBytes).text());
      setChosen({ file, name, preview, csv: await readExportedCsv(file, preview) });
      setFault(null);
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
  };
  if (chosen !== null) {
    return (
      <ImportPreview
        client={client}
        file={chosen.file}
        preview={chosen.preview}
        csv={chosen.csv}
        table={table ?? nameOf(chosen.name)}
        tableFixed={table !== null}
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
      <span className={styles.hint}>JSON lines, a JSON list or CSV with a header</span>
      <input
        type="file"
        className={styles.hidden}
        data-testid="file-input"
        accept=".json,.ndjson,.jsonl,.csv,.txt,.log,application/json,text/csv,application/x-ndjson"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
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
        Look at them
      </Button>
    </div>
  );
}

/** `Web requests (2).ndjson` → `web_requests_2`. */
function nameOf(fileName: string): string {
  const base = fileName.replace(/(\.(ndjson|jsonl?|csv|txt|log))+$/i, "").toLowerCase();
  const name = base.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
  return name === "" ? "rows" : name.slice(0, 60);
}
