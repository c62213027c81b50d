import {
  type HadalError,
  type StatusInfo,
  sampleRateColumn,
  type TableDetail,
  type TableSettings,
  timeColumn,
} from "@hadal/sdk";
import { useEffect, useMemo } from "react";
import { createPoll } from "../../../live/poll.js";
import { rateOf } from "../../../live/rateMeter.js";
import { usePoll } from "../../../live/usePoll.js";
import { useSamples } from "../../../live/useSamples.js";
import type { Session } from "../../../session/session.js";
import { useWhyNot } from "../../../session/useWhyNot.js";
import { Button } from "../../../ui/button/Button.js";
import { Facts } from "../../../ui/page/Facts.js";
import { Page, Section } from "../../../ui/page/Page.js";
import { Panel } from "../../../ui/page/Panel.js";
import { Strip } from "../../../ui/page/Strip.js";
import styles from "../base/tables.module.css";
import { exploreUrl } from "../base/tableUrls.js";
import { AddRows } from "../send/AddRows.js";
import { ColumnSettingsForm } from "../settings/ColumnSettingsForm.js";
import { DeleteTable } from "../settings/DeleteTable.js";
import { RetentionForm } from "../settings/RetentionForm.js";
import { ColumnTable } from "./ColumnTable.js";
import { tableFacts } from "./tableFacts.js";
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

/** The page of a table: columns, retention, settings of columns, adding rows, deletion. */
export function TablePage({ session, name, dropped, onVisit }: TablePageProps) {
  const poll = useMemo(() => createPoll(() => read(session, name), refreshMs), [session, name]);
  const { value, problem, atMs } = usePoll(poll);
  const counts = useSamples(value, atMs, countsOf);
  const distinct = useDistinct(session, name);
  const whyNotOperate = useWhyNot(session, "operate");
  const whyNotIngest = useWhyNot(session, "ingest");
  useEffect(() => {
    document.title = `${name} · Tables · Hadal`;
  }, [name]);

  if (value === null) {
    if (problem === null) return <div aria-busy="true" data-testid="loading" />;
    return <Unreadable name={name} problem={problem} onAgain={() => void poll.refresh()} />;
  }
  const { detail, ingest } = value;
  const received = {
    rate: rateOf(counts, name),
    counts: ingest.tables.find((table) => table.name === name),
  };
  return (
    <Page
      testId="table-page"
      title={name}
      note={<a href="/tables">all tables</a>}
      actions={<ExploreLink name={name} />}
    >
      {problem !== null && <Strip tone="bad">{problem.message}</Strip>}
      <Facts facts={tableFacts(detail, received, atMs)} />
      <Section title="Columns" note={detail.columns.length}>
        <ColumnTable table={detail} distinct={distinct} />
      </Section>
      <SettingsSections
        detail={detail}
        whyNot={whyNotOperate}
        onSave={async (changed) => {
          await session.client.setTable(name, { ...settingsOf(detail), ...changed });
          await poll.refresh();
        }}
      />
      {whyNotIngest === null && (
        <Section title="Add rows">
          <AddRows session={session} table={name} dropped={dropped} />
        </Section>
      )}
      {whyNotOperate === null && (
        <Section title="Delete the table">
          <DeleteTable
            name={name}
            rows={detail.rows}
            onDelete={async () => {
              await session.client.deleteTable(name);
              await session.loadTables();
              onVisit("/tables");
            }}
          />
        </Section>
      )}
    </Page>
  );
}

const ExploreLink = ({ name }: { readonly name: string }) => (
  <a className={styles.mainAction} href={exploreUrl(name)}>
    Explore
  </a>
);

interface SettingsSectionsProps {
  readonly detail: TableDetail;
  /** Why the person may not change them; null: may. */
  readonly whyNot: string | null;
  readonly onSave: (changed: Partial<TableSettings>) => Promise<void>;
}

function SettingsSections({ detail, whyNot, onSave }: SettingsSectionsProps) {
  if (whyNot !== null) {
    return (
      <Section title="Settings">
        <p className={styles.hint}>{whyNot}</p>
      </Section>
    );
  }
  return (
    <>
      <Section title="Retention" testId="retention">
        <RetentionForm retention={detail.retention} thinning={detail.thinning} onSave={onSave} />
      </Section>
      <Section title="Types of columns" testId="column-settings">
        <ColumnSettingsForm
          settings={detail.columnSettings}
          names={detail.columns.map((column) => column.name).filter(isSettable)}
          onSave={(columns) => onSave({ columns })}
        />
      </Section>
    </>
  );
}

async function read({ client }: Session, name: string): Promise<Answer> {
  const [detail, { ingest }] = await Promise.all([client.table(name), client.status()]);
  return { detail, ingest };
}

function countsOf({ ingest }: Answer): ReadonlyMap<string, number> {
  return new Map(ingest.tables.map((table) => [table.name, table.accepted]));
}

/** The current settings: a save replaces all settings, so the unchanged ones are sent too. */
function settingsOf({ retention, thinning, columnSettings }: TableDetail): TableSettings {
  return { retention, thinning, columns: columnSettings };
}

/** The types of the time and of the sample rate are fixed. */
const isSettable = (column: string): boolean =>
  column !== timeColumn && column !== sampleRateColumn;

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
      title={unknown ? `There is no table ${name}` : "The table cannot be loaded"}
      action={
        unknown ? <a href="/tables">All tables</a> : <Button onClick={onAgain}>Try again</Button>
      }
    >
      {problem.message}
    </Panel>
  );
}
