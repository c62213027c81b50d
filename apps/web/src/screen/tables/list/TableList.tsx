import type { StatusInfo, TableInfo } from "@hadal/sdk";
import { Plus } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { createPoll } from "../../../live/poll.js";
import { rateOf } from "../../../live/rateMeter.js";
import { usePoll } from "../../../live/usePoll.js";
import { useSamples } from "../../../live/useSamples.js";
import type { Session } from "../../../session/session.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { Awaited } from "../../../ui/page/Awaited.js";
import { Page, Section } from "../../../ui/page/Page.js";
import { Strip } from "../../../ui/page/Strip.js";
import { DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import { AddRows } from "../send/AddRows.js";
import {
  ageOf,
  type ListedTable,
  noSizes,
  type Sort,
  sortTables,
  tableColumns,
} from "./tableColumns.js";

const refreshMs = 2_000;

interface Answer {
  readonly tables: readonly TableInfo[];
  readonly ingest: StatusInfo["ingest"];
}

export interface TableListProps {
  readonly session: Session;
  readonly dropped: File | null;
}

/** All tables with their size, ingest rate and age. */
export function TableList({ session, dropped }: TableListProps) {
  const { listed, problem, refresh } = useListedTables(session);
  const [adding, setAdding] = useState(dropped !== null);
  const whyNotIngest = useWhyNot(session, "ingest");
  useEffect(() => {
    if (dropped !== null) setAdding(true);
  }, [dropped]);
  useEffect(() => {
    document.title = "Tables · Hadal";
  }, []);

  if (listed === null) {
    return <Awaited problem={problem} title="The tables cannot be loaded" onAgain={refresh} />;
  }
  const isEmpty = listed.length === 0;
  // Keep the section open when the first table appears in the list.
  if (isEmpty && !adding) setAdding(true);
  return (
    <Page
      testId="tables-screen"
      title="Tables"
      note={isEmpty ? undefined : listed.length}
      actions={
        !isEmpty &&
        whyNotIngest === null && (
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
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {isEmpty && whyNotIngest !== null && (
        <p className={styles.hint}>No table yet, or none that you may read. {whyNotIngest}</p>
      )}
      {adding && whyNotIngest === null && (
        <Section title={isEmpty ? "The first row creates a table" : "Add rows"}>
          <AddRows session={session} table={null} dropped={dropped} />
        </Section>
      )}
      {!isEmpty && <Tables listed={listed} />}
    </Page>
  );
}

function Tables({ listed }: { readonly listed: readonly ListedTable[] }) {
  const [sort, setSort] = useState<Sort>({ by: "name", direction: "ascending" });
  return (
    <div className={styles.list}>
      <DataTable
        label="Tables"
        testId="tables"
        rowTestId="table"
        columns={tableColumns(sort, setSort)}
        rows={sortTables(listed, sort)}
        rowKey={({ name }) => name}
      />
    </div>
  );
}

/** The tables, polled; null: not loaded yet. */
function useListedTables(session: Session) {
  const poll = useMemo(() => createPoll(() => readTables(session), refreshMs), [session]);
  const { value, problem, atMs } = usePoll(poll);
  const counts = useSamples(value, atMs, countsOf);
  const listed = value?.tables.map(
    (table): ListedTable => ({
      ...{ ...noSizes, ...table },
      rate: rateOf(counts, table.name),
      lagMs: ageOf(table, atMs),
    }),
  );
  return {
    listed: listed ?? null,
    problem: problem?.message ?? null,
    refresh: () => void poll.refresh(),
  };
}

async function readTables({ client, remember }: Session): Promise<Answer> {
  const [tables, { ingest }] = await Promise.all([client.tables(), client.status()]);
  remember(tables);
  return { tables, ingest };
}

function countsOf({ ingest }: Answer): ReadonlyMap<string, number> {
  return new Map(ingest.tables.map(({ name, accepted }) => [name, accepted]));
}
