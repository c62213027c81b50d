import type { DocumentSummary } from "@hadal/sdk";
import { Copy, LayoutDashboard, Plus, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { Session } from "../../../session/session.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { Ago } from "../../../ui/page/Ago.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Page } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import { ImportBoard } from "./ImportBoard.js";
import styles from "./list.module.css";
import { ReadyBoards, TableBoardButton } from "./ReadyBoards.js";
import { type BoardActions, useBoards } from "./useBoards.js";

export interface BoardListProps {
  readonly session: Session;
  readonly onVisit: (url: string) => void;
}

/** All dashboards: search, open, new, duplicate, delete. */
export function BoardList({ session, onVisit }: BoardListProps) {
  const { boards, problem, outcome, ...actions } = useBoards(session, onVisit);
  const [text, setText] = useState("");
  const whyNotSave = useWhyNot(session, "save");
  useEffect(() => {
    document.title = "Dashboards · Hadal";
  }, []);
  if (boards === null) {
    return (
      <Awaited
        problem={problem}
        title="The dashboards cannot be loaded"
        onAgain={() => void actions.load()}
      />
    );
  }
  const needle = text.trim().toLowerCase();
  const found = boards.filter(({ title, changedBy }) =>
    `${title} ${changedBy ?? ""}`.toLowerCase().includes(needle),
  );
  return (
    <Page
      testId="dashboards-screen"
      title="Dashboards"
      note={boards.length === 0 ? undefined : boards.length}
      actions={
        <>
          {boards.length > 0 && <Search text={text} onText={setText} />}
          <a href="/annotations" className={styles.link}>
            Annotations
          </a>
          {whyNotSave === null && boards.length > 0 && (
            <TableBoardButton session={session} onCreate={actions.create} />
          )}
          {whyNotSave === null && <ImportBoard onCreate={actions.create} />}
          <NewBoardButton whyNot={whyNotSave} onCreate={actions.create} />
        </>
      }
    >
      {outcome !== null && (
        <Strip tone="bad" testId="board-outcome">
          {outcome}
        </Strip>
      )}
      {boards.length === 0 ? (
        <ReadyBoards session={session} onCreate={actions.create} />
      ) : (
        <DataTable
          label="Dashboards"
          testId="board-list"
          rowTestId="board-row"
          columns={columnsOf(actions, { maySave: whyNotSave === null })}
          rows={found}
          rowKey={({ id }) => id}
          empty={`No title or person matches “${text.trim()}”.`}
        />
      )}
    </Page>
  );
}

interface SearchProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

const Search = ({ text, onText }: SearchProps) => (
  <input
    type="search"
    className={styles.search}
    aria-label="Search dashboards"
    data-testid="board-search"
    placeholder="search titles and people"
    value={text}
    onChange={(event) => onText(event.target.value)}
  />
);

interface NewBoardButtonProps {
  /** Why this reader may not save a board; null: they may. */
  readonly whyNot: string | null;
  readonly onCreate: BoardActions["create"];
}

const NewBoardButton = ({ whyNot, onCreate }: NewBoardButtonProps) => (
  <Button
    look="main"
    data-testid="new-board"
    disabled={whyNot !== null}
    title={whyNot ?? undefined}
    onClick={() => onCreate(newBoard)}
  >
    <Plus size={14} /> New dashboard
  </Button>
);

const newBoard = { title: "New dashboard", board: { sections: [] } };

type Columns = readonly DataColumn<DocumentSummary>[];

const columnsOf = (actions: BoardActions, { maySave }: { readonly maySave: boolean }): Columns => [
  {
    key: "title",
    head: "Title",
    cell: ({ id, title }) => (
      <a className={styles.title} href={`/dashboards/${id}`} title={title} data-testid="board-link">
        <LayoutDashboard size={14} aria-hidden="true" /> {title}
      </a>
    ),
  },
  {
    key: "by",
    head: "Changed by",
    wideOnly: true,
    cell: ({ changedBy }) => changedBy ?? "–",
  },
  {
    key: "changed",
    head: "Changed",
    cell: ({ changedMs }) => <Ago ms={changedMs} />,
  },
  {
    key: "actions",
    head: <span className={styles.hidden}>Actions</span>,
    align: "right",
    cell: (one) => (maySave ? <RowActions one={one} actions={actions} /> : null),
  },
];

interface RowActionsProps {
  readonly one: DocumentSummary;
  readonly actions: BoardActions;
}

function RowActions({ one, actions }: RowActionsProps) {
  const [isAsked, setAsked] = useState(false);
  const { title, file } = one;
  if (isAsked) {
    return (
      <span className={styles.actions}>
        <Button autoFocus data-testid="confirm-delete" onClick={() => void actions.remove(one)}>
          Delete for everyone
        </Button>
        <Button onClick={() => setAsked(false)}>Keep</Button>
      </span>
    );
  }
  return (
    <span className={styles.actions}>
      <Button
        look="quiet"
        aria-label={`Duplicate ${title}`}
        title="Duplicate"
        data-testid="duplicate-board"
        onClick={() => void actions.duplicate(one)}
      >
        <Copy size={14} />
      </Button>
      {file === undefined && (
        <Button
          look="quiet"
          aria-label={`Delete ${title}`}
          title="Delete"
          data-testid="delete-board"
          onClick={() => setAsked(true)}
        >
          <Trash2 size={14} />
        </Button>
      )}
    </span>
  );
}
