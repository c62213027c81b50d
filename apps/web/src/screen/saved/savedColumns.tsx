import type { DocumentSummary } from "@hadal/sdk";
import { History, Pencil, Trash2 } from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button } from "../../ui/button/Button.js";
import { Ago } from "../../ui/page/Ago.js";
import type { DataColumn } from "../../ui/table/DataTable.js";
import { RenameField } from "./RenameField.js";
import styles from "./saved.module.css";
import { type SavedSort, type SavedSortKey, sortAfterClick } from "./savedRows.js";
import type { useRowActions } from "./useRowActions.js";

export interface SavedColumnsOf {
  readonly sort: SavedSort;
  readonly onSort: (sort: SavedSort) => void;
  readonly tableOf: (one: DocumentSummary) => string | null | undefined;
  readonly actions: ReturnType<typeof useRowActions>;
  readonly onVersions: (one: DocumentSummary) => void;
  readonly maySave: boolean;
}

export function savedColumns(of: SavedColumnsOf): readonly DataColumn<DocumentSummary>[] {
  const sortable = (by: SavedSortKey) => ({
    sort: {
      state: by === of.sort.by ? of.sort.direction : ("none" as const),
      onSort: () => of.onSort(sortAfterClick(of.sort, by)),
    },
  });
  return [
    {
      key: "title",
      head: "Title",
      ...sortable("title"),
      cell: (one) => <TitleCell one={one} of={of} />,
    },
    {
      key: "table",
      head: "Table",
      cell: (one) => <span className={styles.clip}>{of.tableOf(one) ?? ""}</span>,
    },
    {
      key: "by",
      head: "Changed by",
      wideOnly: true,
      ...sortable("changedBy"),
      cell: ({ changedBy }) => changedBy ?? <span className={styles.quiet}>–</span>,
    },
    {
      key: "changed",
      head: "Changed",
      ...sortable("changedMs"),
      cell: ({ changedMs }) => <Ago ms={changedMs} />,
    },
    {
      key: "version",
      head: "Version",
      align: "right",
      wideOnly: true,
      cell: ({ version }) => version,
    },
    {
      key: "actions",
      head: <span className={styles.hidden}>Actions</span>,
      align: "right",
      cell: (one) => <ActionsCell one={one} of={of} />,
    },
  ];
}

interface CellProps {
  readonly one: DocumentSummary;
  readonly of: SavedColumnsOf;
}

function TitleCell({ one, of: { actions, maySave } }: CellProps) {
  const { id, title } = one;
  if (actions.action?.kind === "rename" && actions.action.id === id) {
    return (
      <RenameField
        title={title}
        onDone={(next) => void actions.rename(one, next)}
        onCancel={() => actions.begin(null)}
      />
    );
  }
  const onKeyDown = (event: KeyboardEvent<HTMLAnchorElement>): void => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      walkTitles(event.currentTarget, event.key === "ArrowDown" ? 1 : -1);
    } else if (maySave && event.key === "F2") {
      event.preventDefault();
      actions.begin({ kind: "rename", id });
    } else if (maySave && event.key === "Delete") {
      actions.begin({ kind: "delete", id });
    }
  };
  return (
    <a
      className={styles.title}
      href={`/saved/${id}`}
      title={title}
      data-testid="saved-link"
      onKeyDown={onKeyDown}
    >
      {title}
    </a>
  );
}

/** Moves the focus to the title above or below; above the first stands the search. */
export function walkTitles(from: Element | null, step: 1 | -1): void {
  const titles = [...document.querySelectorAll<HTMLElement>("[data-testid=saved-link]")];
  const at = from === null ? -1 : titles.indexOf(from as HTMLElement);
  const search = document.querySelector<HTMLElement>("[data-testid=saved-search]");
  (titles[at + step] ?? (at + step < 0 ? search : null))?.focus();
}

function ActionsCell({ one, of: { actions, onVersions, maySave } }: CellProps) {
  const { id, title } = one;
  if (actions.action?.kind === "delete" && actions.action.id === id) {
    return (
      <span key="confirm" className={styles.confirm}>
        <Button
          autoFocus
          className={styles.danger ?? ""}
          data-testid="confirm-delete"
          onClick={() => void actions.remove(one)}
          onKeyDown={(event) => event.key === "Escape" && actions.begin(null)}
        >
          Delete for everyone
        </Button>
        <Button onClick={() => actions.begin(null)}>Keep</Button>
      </span>
    );
  }
  return (
    <span key="actions" className={styles.actions}>
      <Button
        look="quiet"
        aria-label={`Versions of ${title}`}
        title="Versions"
        onClick={() => onVersions(one)}
      >
        <History size={14} />
      </Button>
      {maySave && (
        <>
          <Button
            look="quiet"
            aria-label={`Rename ${title}`}
            title="Rename ( F2 )"
            onClick={() => actions.begin({ kind: "rename", id })}
          >
            <Pencil size={14} />
          </Button>
          <Button
            look="quiet"
            aria-label={`Delete ${title}`}
            title="Delete ( Delete )"
            onClick={() => actions.begin({ kind: "delete", id })}
          >
            <Trash2 size={14} />
          </Button>
        </>
      )}
    </span>
  );
}
