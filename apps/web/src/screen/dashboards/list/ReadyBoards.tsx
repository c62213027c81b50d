import { useEffect, useState } from "react";
import { useStore } from "zustand";
import type { Session } from "../../../session/session.js";
import { Button } from "../../../ui/button/Button.js";
import { Panel } from "../../../ui/page/Panel.js";
import { PickList } from "../../../ui/popup/PickList.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { boardOfTable } from "../ready/boardOfTable.js";
import { annotateReleases } from "../ready/releases.js";
import { isDemoTable, siteOverview } from "../ready/siteOverview.js";
import styles from "./list.module.css";
import type { BoardActions } from "./useBoards.js";

export interface ReadyBoardsProps {
  readonly session: Session;
  readonly onCreate: BoardActions["create"];
}

/** For an empty list: boards that are made with one click. */
export function ReadyBoards({ session, onCreate }: ReadyBoardsProps) {
  const { details, tables } = useStore(session);
  useEffect(() => {
    if (tables === null) void session.loadTables();
    void session.loadTable("requests");
  }, [session, tables]);
  const demo = details.get("requests");
  const hasDemo = demo !== undefined && isDemoTable(demo);
  return (
    <Panel
      tone="quiet"
      testId="empty-panel"
      title="No dashboards yet"
      action={
        <span className={styles.ready}>
          {hasDemo && (
            <Button
              look="main"
              data-testid="site-overview"
              onClick={() =>
                onCreate({
                  ...{ title: "Site overview", board: siteOverview },
                  prepare: annotateReleases,
                })
              }
            >
              Create “Site overview” of the demo
            </Button>
          )}
          <TableBoardButton session={session} onCreate={onCreate} />
        </span>
      }
    >
      A dashboard shows many queries at once, under one time range. Pin a query with <kbd>p</kbd> in
      Explore, or begin with a ready one.
    </Panel>
  );
}

/** A board of any table, made from its columns. */
export function TableBoardButton({ session, onCreate }: ReadyBoardsProps) {
  const { tables } = useStore(session);
  const [open, setOpen] = useState(false);
  const create = async (name: string): Promise<void> => {
    setOpen(false);
    const table = await session.loadTable(name);
    if (table !== null) onCreate({ title: `Overview of ${name}`, board: boardOfTable(table) });
  };
  return (
    <Popup
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        if (next) void session.loadTables();
      }}
      label="Dashboard of a table"
      align="end"
      trigger={<Button data-testid="table-board">From a table…</Button>}
    >
      <PickList
        label="Table"
        placeholder="table…"
        testId="table-board-list"
        awaited={tables === null}
        empty={tables === null ? "Loading tables…" : "No table name matches."}
        items={(tables ?? []).map(({ name }) => ({ key: name, label: name }))}
        onPick={(name) => void create(name)}
      />
    </Popup>
  );
}
