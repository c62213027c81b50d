import { Upload } from "lucide-react";
import { useRef, useState } from "react";
import { Button } from "../../../ui/button/Button.js";
import { Strip } from "../../../ui/page/Strip.js";
import { Sheet } from "../../../ui/popup/Sheet.js";
import styles from "./list.module.css";
import { fileBytesMax, type ReadBoard, readBoardFile } from "./readBoardFile.js";
import type { BoardActions } from "./useBoards.js";

interface ChosenFile {
  readonly name: string;
  readonly read: ReadBoard;
}

/** Makes a dashboard of an exported file, of Hadal or of Grafana. */
export function ImportBoard({ onCreate }: { readonly onCreate: BoardActions["create"] }) {
  const inputRef = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setChosen({ name: file.name, read: await readFile(file) });
  };
  return (
    <>
      <Button
        data-testid="import-board"
        title="A file that Hadal or Grafana exported"
        onClick={() => inputRef.current?.click()}
      >
        <Upload size={14} /> Import
      </Button>
      <input
        ref={inputRef}
        type="file"
        accept="application/json,.json"
        className={styles.hidden}
        tabIndex={-1}
        aria-label="File of a dashboard"
        data-testid="import-board-file"
        onChange={({ target }) => {
          void choose(target.files?.[0]);
          // The same file can be chosen again after it was changed.
          target.value = "";
        }}
      />
      {chosen !== null && (
        <ImportSheet {...chosen} onClose={() => setChosen(null)} onCreate={onCreate} />
      )}
    </>
  );
}

async function readFile(file: File): Promise<ReadBoard> {
  if (file.size > fileBytesMax) return { ok: false, reason: "This file is larger than 20 MB." };
  try {
    return readBoardFile(await file.text());
  } catch (error) {
    // A file that was moved or that may not be read.
    if (!(error instanceof DOMException)) throw error;
    return { ok: false, reason: `This file cannot be read: ${error.message}` };
  }
}

interface ImportSheetProps extends ChosenFile {
  readonly onClose: () => void;
  readonly onCreate: BoardActions["create"];
}

function ImportSheet({ name, read, onClose, onCreate }: ImportSheetProps) {
  return (
    <Sheet
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Import ${name}`}
      width={640}
      testId="import-sheet"
    >
      {read.ok ? (
        <Found read={read.read} />
      ) : (
        <Strip tone="bad" testId="import-problem">
          {read.reason}
        </Strip>
      )}
      <div className={styles.end}>
        <Button onClick={onClose}>Cancel</Button>
        {read.ok && (
          <Button
            look="main"
            autoFocus
            data-testid="import-create"
            onClick={() => {
              onCreate(read.read);
              onClose();
            }}
          >
            Create the dashboard
          </Button>
        )}
      </div>
    </Sheet>
  );
}

type Read = Extract<ReadBoard, { readonly ok: true }>["read"];

function Found({ read: { title, board, gaps } }: { readonly read: Read }) {
  const sections = board.sections ?? [];
  const tiles = sections.reduce((sum, section) => sum + section.tiles.length, 0);
  return (
    <>
      <p className={styles.found} data-testid="import-found">
        <b>{title}</b>: {tiles} {tiles === 1 ? "tile" : "tiles"} in {sections.length}{" "}
        {sections.length === 1 ? "section" : "sections"}
        {gaps !== null && ", from Grafana"}.
      </p>
      {gaps !== null && gaps.length > 0 && (
        <>
          <p className={styles.note}>
            Titles, grid, time and texts are taken over. What has no equivalent becomes a text that
            says what it asked, or is left out:
          </p>
          <ul className={styles.gaps} data-testid="import-gaps">
            {gaps.map((gap, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two panels may have one title, and they do not move
              <li key={i}>{gap}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
