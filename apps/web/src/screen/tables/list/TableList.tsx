import type { StatusInfo, TableInfo } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { createPoll } from "../../../live/poll.js";
import { rateOf } from "../../../live/rateMeter.js";
import { usePoll } from "../../../live/usePoll.js";
import { useSamples } from "../../../live/useSamples.js";
import type { Session } from "../../../session/session.js";
import { Button } from "../../../ui/button/Button.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Page, Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import { AddRows } from "../send/AddRows.js";
import { type ListedTable, type SortKey, sortTables, tableColumns } from "./tableColumns.js";

const refreshMs = 2_000;

interface Answer {
  readonly tables: readonly TableInfo[];
  readonly ingest: StatusInfo["ingest"];
}

export interface TableListProps {
  readonly session: Session;
  readonly dropped: File | null;
}

/** All tables with their size, load and age. */
export function TableList({ session, dropped }: TableListProps) {
  const poll = useMemo(() => createPoll(() => readTables(session), refreshMs), [session]);
  const { value, problem, atMs } = usePoll(poll);
  const samples = useSamples(value, atMs, countsOf);
  const [sort, setSort] = useState<{ by: SortKey; desc: boolean }>({ by: "name", desc: false });
  const [adding, setAdding] = useState(dropped !== null);
  useEffect(() => {
    if (dropped !== null) setAdding(true);
  }, [dropped]);
  useEffect(() => {
    document.title = "Tables · Hadal";
  }, []);

  if (value === null) {
    return (
      <Awaited
        problem={problem?.message ?? null}
        title="The tables cannot be read"
        onAgain={() => void poll.refresh()}
      />
    );
  }
  const listed = value.tables.map(
    (table): ListedTable => ({
      ...table,
      rate: rateOf(samples, table.name),
      lagMs: table.toMs === null ? null : atMs - table.toMs,
    }),
  );
  const isEmpty = listed.length === 0;
  // What is added first stays on the screen when its table is listed.
  if (isEmpty && !adding) setAdding(true);
  return (
    <Page
      testId="tables-screen"
      title="Tables"
      note={isEmpty ? undefined : listed.length}
      actions={
        !isEmpty && (
          <Button
            look="main"
            data-testid="add-table"
            aria-expanded={adding}
            onClick={() => setAdding(!adding)}
          >
            <Plus size={14} /> Add rows
          </Button>
        )
      }
    >
      {problem !== null && <Strip tone="bad">{problem.message}</Strip>}
      {adding && (
        <Section title={isEmpty ? "A table is born with its first row" : "Add rows"}>
          <AddRows session={session} table={null} dropped={dropped} />
        </Section>
      )}
      {!isEmpty && (
        <div className={styles.list}>
          <DataTable
            label="Tables"
            testId="tables"
            rowTestId="table"
            columns={tableColumns(sort, setSort)}
            rows={sortTables(listed, sort.by, sort.desc)}
            rowKey={({ name }) => name}
          />
        </div>
      )}
    </Page>
  );
}

async function readTables({ client, remember }: Session): Promise<Answer> {
  const [tables, { ingest }] = await Promise.all([client.tables(), client.status()]);
  remember(tables);
  return { tables, ingest };
}

function countsOf({ ingest }: Answer): ReadonlyMap<string, number> {
  return new Map(ingest.tables.map(({ name, rowsAccepted }) => [name, rowsAccepted]));
}
