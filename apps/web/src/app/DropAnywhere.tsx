import { FileUp } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Command } from "../command/command.js";
import { useCommands } from "../command/useCommands.js";
import styles from "./DropAnywhere.module.css";

export interface DropAnywhereProps {
  /** The table for the rows of a dropped file; null: a new one. */
  readonly table: string | null;
  readonly onFile: (file: File) => void;
}

/** Imports a file that is dropped anywhere on the page or chosen by command. */
export function DropAnywhere({ table, onFile }: DropAnywhereProps) {
  const [over, setOver] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  useEffect(() => watchDrops({ onOver: setOver, onFile }), [onFile]);
  useCommands(useMemo(() => importCommands(inputRef), []));
  return (
    <>
      <input
        ref={inputRef}
        type="file"
        hidden
        data-testid="import-chooser"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file !== undefined) onFile(file);
        }}
      />
      {over && (
        <div className={styles.veil} data-testid="drop-anywhere">
          <p className={styles.words}>
            <FileUp size={20} aria-hidden="true" />
            {table === null
              ? "Drop the file to preview its rows"
              : `Drop the file to preview its rows for ${table}`}
          </p>
        </div>
      )}
    </>
  );
}

function importCommands(input: { readonly current: HTMLInputElement | null }): Command[] {
  return [
    {
      id: "import file",
      group: "Everywhere",
      label: "Import a file…",
      words: "add rows upload csv tsv json parquet",
      run: () => input.current?.click(),
    },
  ];
}

interface Watcher {
  readonly onOver: (over: boolean) => void;
  readonly onFile: (file: File) => void;
}

/** Watches for dragged files, not for texts or links. Returns a function that stops it. */
function watchDrops({ onOver, onFile }: Watcher): () => void {
  const hasFiles = (event: DragEvent): boolean =>
    event.dataTransfer?.types.includes("Files") === true;
  const over = (event: DragEvent): void => {
    if (!hasFiles(event)) return;
    // Without this the browser would open the file instead of the page.
    event.preventDefault();
    onOver(true);
  };
  // Events of elements within the page also arrive; leaving the window has no related target.
  const leave = (event: DragEvent): void => {
    if (event.relatedTarget === null) onOver(false);
  };
  const drop = (event: DragEvent): void => {
    onOver(false);
    // A drop zone of the screen has taken the file.
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer?.files ?? [];
    if (file !== undefined) onFile(file);
  };
  window.addEventListener("dragover", over);
  window.addEventListener("dragleave", leave);
  window.addEventListener("drop", drop);
  return () => {
    window.removeEventListener("dragover", over);
    window.removeEventListener("dragleave", leave);
    window.removeEventListener("drop", drop);
  };
}
