import { dashboardTitleMax, randomKey } from "@hadal/sdk";
import { History, LayoutGrid, Link2, Plus, Printer, Redo2, Save, Tv, Undo2 } from "lucide-react";
import { Suspense, useState } from "react";
import { useStore } from "zustand";
import { tileOfState } from "../../../draft/tile/tileOfState.js";
import { initialState } from "../../../query/state/exploreState.js";
import { firstTable } from "../../../query/state/opening.js";
import { Button } from "../../../ui/button/Button.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { withBar } from "../model/barState.js";
import { sectionsOf } from "../model/boardEdits.js";
import { BoardVersions } from "./BoardVersions.js";
import styles from "./board.module.css";
import { useBoard } from "./boardContext.js";
import { DownloadButton } from "./DownloadButton.js";

/** The title of the board, and what can be done with the whole board. */
export function BoardHead({ onKiosk }: { readonly onKiosk: () => void }) {
  const { isArranging, onArrange, isPrinting, onPrint, whyReadOnly } = useBoard();
  return (
    <div className={styles.head}>
      <Title />
      {whyReadOnly !== null && (
        <span className={styles.quiet} data-testid="read-only" title={whyReadOnly}>
          read-only
        </span>
      )}
      <span className={styles.grow} />
      <span className={styles.actions} data-print="no">
        {isArranging && <ArrangeActions />}
        <SaveButton />
        {whyReadOnly === null && (
          <Button
            aria-pressed={isArranging}
            data-testid="arrange"
            title="Move, resize, add and edit tiles ( e )"
            onClick={() => onArrange(!isArranging)}
          >
            <LayoutGrid size={14} /> Arrange
          </Button>
        )}
        <VersionsButton />
        <Button
          look="quiet"
          data-testid="print-board"
          aria-label="Print"
          title="Print, or save as PDF, once every tile has answered"
          disabled={isPrinting}
          onClick={onPrint}
        >
          <Printer size={16} />
        </Button>
        <DownloadButton />
        <CopyLink />
        <Button
          look="quiet"
          data-testid="kiosk"
          aria-label="Kiosk"
          title="Kiosk: the tiles alone, one section after another; Escape leaves"
          onClick={onKiosk}
        >
          <Tv size={16} />
        </Button>
      </span>
    </div>
  );
}

function Title() {
  const { store, isArranging } = useBoard();
  const { title } = useStore(store);
  if (!isArranging) {
    return (
      <h1 className={styles.title} data-testid="board-title" title={title}>
        {title}
      </h1>
    );
  }
  return (
    <input
      className={styles.titleInput}
      aria-label="Title of the dashboard"
      data-testid="board-title-input"
      maxLength={dashboardTitleMax}
      defaultValue={title}
      key={title}
      onBlur={({ target }) => target.value.trim() !== "" && store.rename(target.value.trim())}
      onKeyDown={(event) => event.key === "Enter" && event.currentTarget.blur()}
    />
  );
}

function SaveButton() {
  const { store } = useBoard();
  const { isChanged, isSaving } = useStore(store);
  if (!isChanged && !isSaving) return null;
  return (
    <Button
      look="main"
      data-testid="save-board"
      title="Save for everyone ( Ctrl S )"
      disabled={isSaving}
      onClick={() => void store.save()}
    >
      <Save size={14} /> Save
    </Button>
  );
}

/** While the board is arranged: undo, redo, add. */
function ArrangeActions() {
  const { store } = useBoard();
  const { canUndo, canRedo } = useStore(store);
  return (
    <>
      <Button
        look="quiet"
        data-testid="board-undo"
        aria-label="Undo"
        title="Undo ( Ctrl Z )"
        disabled={!canUndo}
        onClick={store.undo}
      >
        <Undo2 size={16} />
      </Button>
      <Button
        look="quiet"
        data-testid="board-redo"
        aria-label="Redo"
        title="Redo ( Ctrl ⇧ Z )"
        disabled={!canRedo}
        onClick={store.redo}
      >
        <Redo2 size={16} />
      </Button>
      <AddButton />
    </>
  );
}

const additions = [
  { key: "query", label: "Query", note: "a chart or table" },
  { key: "text", label: "Text", note: "Markdown" },
  { key: "divider", label: "Divider", note: "a line" },
  { key: "section", label: "Section", note: "tiles that fold together" },
  { key: "bar", label: "Keep this bar", note: "time, comparison and filters of the board" },
] as const;

function AddButton() {
  const { store, session, board, bar, onEdit } = useBoard();
  const [open, setOpen] = useState(false);
  const add = (key: string): void => {
    setOpen(false);
    const id = randomKey();
    const section = Math.max(0, sectionsOf(board).length - 1);
    switch (key) {
      case "section":
        store.edit({ kind: "add section", title: "New section" });
        return;
      case "bar":
        store.edit({ kind: "set bar", board: withBar(board, bar) });
        return;
      case "divider":
        store.edit({ kind: "add tile", tile: { id, divider: true }, section });
        return;
      case "text":
        store.edit({ kind: "add tile", tile: { id, text: "" }, section });
        break;
      default: {
        const table = firstTable(session.getState().tables ?? []) ?? "requests";
        const tile = { id, ...tileOfState(initialState(table)) };
        store.edit({ kind: "add tile", tile, section });
      }
    }
    onEdit(id);
  };
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label="Add"
      align="end"
      trigger={
        <Button data-testid="board-add">
          <Plus size={14} /> Add
        </Button>
      }
    >
      <PickList
        label="What to add"
        placeholder="query, text, divider, section…"
        testId="add-list"
        empty="There is no such thing to add."
        items={[...additions]}
        onPick={add}
      />
    </Popup>
  );
}

function VersionsButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="quiet"
        data-testid="board-versions"
        aria-label="Versions"
        title="Versions"
        onClick={() => setOpen(true)}
      >
        <History size={16} />
      </Button>
      <Suspense>{open && <BoardVersions onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

/** Copies the address with the whole bar in it. */
function CopyLink() {
  const { barSearch } = useBoard();
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(`${location.origin}${location.pathname}?${barSearch}`);
    setCopied(true);
  };
  return (
    <Button
      look="quiet"
      data-testid="board-link"
      aria-label={isCopied ? "Link copied" : "Copy the link"}
      title={isCopied ? "Copied" : "Copy the link: it has the time and filters"}
      onClick={() => void copy()}
    >
      <Link2 size={16} />
    </Button>
  );
}
