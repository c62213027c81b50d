import {
  type HadalError,
  type StatusInfo,
  sampleRateColumn,
  type TableDetail,
  type TableSettings,
  timeColumn,
} from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatRange } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import { createPoll } from "../../../live/poll.js";
import { rateOf } from "../../../live/rateMeter.js";
import { usePoll } from "../../../live/usePoll.js";
import { useSamples } from "../../../live/useSamples.js";
import type { Session } from "../../../session/session.js";
import { Button } from "../../../ui/button/Button.js";
import { Facts } from "../../../ui/page/Facts.js";
import { Page, Section } from "../../../ui/page/Page.js";
import { Panel } from "../../../ui/page/Panel.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import { exploreUrl } from "../base/tableUrls.js";
import { keptText, lagText, rateText } from "../list/tableColumns.js";
import { AddRows } from "../send/AddRows.js";
import { ColumnSettingsForm } from "../settings/ColumnSettingsForm.js";
import { DeleteTable } from "../settings/DeleteTable.js";
import { RetentionForm } from "../settings/RetentionForm.js";
import { thinnedText } from "../settings/thinningText.js";
import { ColumnTable } from "./ColumnTable.js";
import { useDistinct } from "./useDistinct.js";

const refreshMs = 2_000;

export interface TablePageProps {
  readonly session: Session;
  readonly name: string;
  readonly dropped: File | null;
  readonly onVisit: (url: string) => void;
}

interface Answer {
  readonly detail: TableDetail;
  readonly ingest: StatusInfo["ingest"];
}

/** One table: its columns, how long rows stay, how more get in, and its end. */
export function TablePage({ session, name, dropped, onVisit }: TablePageProps) {
  const poll = useMemo(() => createPoll(() => read(session, name), refreshMs), [session, name]);
  const { value, problem, atMs } = usePoll(poll);
  const samples = useSamples(value, atMs, countsOf);
  const distinct = useDistinct(session, name);
  useEffect(() => {
    document.title = `${name} · Tables · Hadal`;
  }, [name]);

  if (value === null) {
    if (problem === null) return <div aria-busy="true" data-testid="loading" />;
    return <Unreadable name={name} problem={problem} onAgain={() => void poll.refresh()} />;
  }
  const { detail } = value;
  const { client } = session;
  return (
    <Page
      testId="table-page"
      title={name}
      note={<a href="/tables">all tables</a>}
      actions={
        <a className={styles.mainAction} href={exploreUrl(name)}>
          Explore
        </a>
      }
    >
      {problem !== null && <Strip tone="bad">{problem.message}</Strip>}
      <Facts facts={factsOf(detail, rateOf(samples, name), atMs)} />
      <Section title="Columns" note={detail.columns.length}>
        <ColumnTable table={detail} distinct={distinct} />
      </Section>
      <Section title="How long rows stay" testId="retention">
        <RetentionForm
          retention={detail.retention}
          thinning={detail.thinning}
          onSave={async (staying) => {
            await client.setTable(name, { ...settingsOf(detail), ...staying });
            await poll.refresh();
          }}
        />
      </Section>
      <Section title="How values are read" testId="column-settings">
        <ColumnSettingsForm
          settings={detail.columnSettings}
          names={detail.columns.map((column) => column.name).filter(isSettable)}
          onSave={async (columns) => {
            await client.setTable(name, { ...settingsOf(detail), columns });
            await poll.refresh();
          }}
        />
      </Section>
      <Section title="Add rows">
        <AddRows session={session} table={name} dropped={dropped} />
      </Section>
      <Section title="Delete the table">
        <DeleteTable
          name={name}
          rows={detail.rows}
          onDelete={async () => {
            await client.deleteTable(name);
            await session.loadTables();
            onVisit("/tables");
          }}
        />
      </Section>
    </Page>
  );
}

async function read({ client }: Session, name: string): Promise<Answer> {
  const [detail, { ingest }] = await Promise.all([client.table(name), client.status()]);
  return { detail, ingest };
}

function countsOf({ ingest }: Answer): ReadonlyMap<string, number> {
  return new Map(ingest.tables.map((table) => [table.name, table.rowsAccepted]));
}

/** What is set beside retention goes along: settings are replaced as a whole. */
function settingsOf({ retention, thinning, columnSettings }: TableDetail): TableSettings {
  return { retention, thinning, columns: columnSettings };
}

/** Times and sample rates are whole numbers in every table. */
const isSettable = (column: string): boolean =>
  column !== timeColumn && column !== sampleRateColumn;

function factsOf(detail: TableDetail, rate: number | null, atMs: number) {
  const { rows, bytes, bytesPerRow, compressionRatio, fromMs, toMs, retention, thinning } = detail;
  // A few rows take more than they hold: their table has room for many.
  const isSmaller = compressionRatio !== null && compressionRatio > 1;
  return [
    { name: "rows", value: formatCompact(rows), title: formatExact(rows) },
    {
      name: "memory",
      value: formatBytes(bytes),
      note:
        bytesPerRow === null
          ? undefined
          : `${formatBytes(bytesPerRow)} a row${isSmaller ? `, ${formatRatio(compressionRatio)} smaller` : ""}`,
    },
    { name: "coming in", value: rateText(rate) },
    {
      name: "newest row",
      value: lagText(toMs === null ? null : atMs - toMs),
      note:
        fromMs === null || toMs === null
          ? undefined
          : formatRange(fromMs, toMs, ownTimeZone(), atMs),
    },
    {
      name: "kept",
      value: keptText(retention),
      note: thinning.length === 0 ? undefined : thinnedText(thinning),
    },
  ];
}

interface UnreadableProps {
  readonly name: string;
  readonly problem: HadalError;
  readonly onAgain: () => void;
}

function Unreadable({ name, problem, onAgain }: UnreadableProps) {
  const unknown = problem.code === "unknown-table";
  return (
    <Panel
      tone="bad"
      testId="error-panel"
      title={unknown ? `There is no table ${name}` : "The table cannot be read"}
      action={
        unknown ? <a href="/tables">All tables</a> : <Button onClick={onAgain}>Try again</Button>
      }
    >
      {problem.message}
    </Panel>
  );
}
