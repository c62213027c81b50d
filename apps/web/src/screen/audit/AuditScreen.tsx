import { type AuditEntry, HadalError } from "@hadal/sdk";
import { useCallback, useDeferredValue, useEffect, useState } from "react";
import { useStore } from "zustand";
import { ownTimeZone } from "../../format/ownTimeZone.js";
import { formatInstant, formatIso } from "../../format/time.js";
import type { Session } from "../../session/session.js";
import { whyNot } from "../../session/who.js";
import { Button } from "../../ui/button/Button.js";
import { Select } from "../../ui/button/Select.js";
import { Awaited } from "../../ui/page/Awaited.js";
import { Page } from "../../ui/page/Page.js";
import { Panel } from "../../ui/page/Panel.js";
import { Strip } from "../../ui/page/Strip.js";
import { saveFile } from "../../ui/storage/saveFile.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./audit.module.css";
import {
  actionOptions,
  actionText,
  allTimes,
  anyAction,
  entriesOf,
  isNotable,
  ndjsonOf,
  spanOptions,
} from "./auditText.js";

/** Rows that are drawn at first. */
const shownFirst = 200;
/** The server sends no more at once. */
const entriesMax = 10_000;

/** Who did what, and when. */
export function AuditScreen({ session }: { readonly session: Session }) {
  const reason = whyNot(useStore(session.who).me, "admin");
  useEffect(() => {
    document.title = "Audit log · Hadal";
  }, []);
  if (reason === null) return <AuditLog session={session} />;
  return (
    <Panel tone="quiet" testId="not-allowed" title="For admins only">
      {reason}
    </Panel>
  );
}

function AuditLog({ session }: { readonly session: Session }) {
  const [span, setSpan] = useState("-7d");
  const [who, setWho] = useState("");
  const [action, setAction] = useState(anyAction);
  const [count, setCount] = useState(shownFirst);
  const { entries, problem, load } = useEntries(session, span, useDeferredValue(who.trim()));
  if (entries === null) {
    return (
      <Awaited
        problem={problem}
        title="The audit log cannot be loaded"
        onAgain={() => void load()}
      />
    );
  }
  const found = entriesOf(entries, action);
  return (
    <Page
      testId="audit-screen"
      title="Audit log"
      note={found.length}
      actions={<Download entries={found} />}
    >
      <AuditBar
        {...{ span, who, action }}
        onSpan={setSpan}
        onWho={setWho}
        onAction={setAction}
        onAgain={() => void load()}
      />
      {problem !== null && <Strip tone="bad">{problem}</Strip>}
      {entries.length >= entriesMax && (
        <Strip tone="warn">
          Only the newest {entriesMax} entries of this time are here: choose a shorter time.
        </Strip>
      )}
      <DataTable
        label="Audit log"
        testId="audit"
        rowTestId="audit-entry"
        columns={columns}
        rows={found.slice(0, count).map((entry, index) => ({ entry, index }))}
        rowKey={({ index }) => String(index)}
        empty="Nothing happened in this time that matches."
      />
      {found.length > count && (
        <p className={styles.more}>
          {count} of {found.length} are shown.
          <Button onClick={() => setCount(count + shownFirst)}>Show more</Button>
        </p>
      )}
    </Page>
  );
}

function Download({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Button
      data-testid="download-audit"
      disabled={entries.length === 0}
      onClick={() => saveFile("audit.ndjson", ndjsonOf(entries), "application/x-ndjson")}
    >
      Download NDJSON
    </Button>
  );
}

interface AuditBarProps {
  readonly span: string;
  readonly who: string;
  readonly action: string;
  readonly onSpan: (span: string) => void;
  readonly onWho: (who: string) => void;
  readonly onAction: (action: string) => void;
  readonly onAgain: () => void;
}

function AuditBar(props: AuditBarProps) {
  const { span, who, action, onSpan, onWho, onAction, onAgain } = props;
  return (
    <div className={styles.bar}>
      <Select
        label="Time"
        testId="audit-span"
        value={span}
        options={spanOptions}
        onChange={onSpan}
      />
      <input
        type="search"
        className={styles.who}
        aria-label="Who"
        data-testid="audit-who"
        placeholder="anyone"
        value={who}
        spellCheck={false}
        onChange={(event) => onWho(event.target.value)}
      />
      <Select
        label="Action"
        testId="audit-action"
        value={action}
        options={actionOptions}
        onChange={onAction}
      />
      <Button look="quiet" onClick={onAgain}>
        Read again
      </Button>
    </div>
  );
}

interface Row {
  readonly entry: AuditEntry;
  readonly index: number;
}

const columns: readonly DataColumn<Row>[] = [
  {
    key: "time",
    head: "Time",
    cell: ({ entry: { time } }) => (
      <time dateTime={formatIso(time)} title={formatIso(time)}>
        {formatInstant(time, ownTimeZone())}
      </time>
    ),
  },
  {
    key: "who",
    head: "Who",
    cell: ({ entry: { who } }) =>
      who === null ? <span className={styles.quiet}>–</span> : <strong>{who}</strong>,
  },
  {
    key: "action",
    head: "Action",
    cell: ({ entry: { action } }) => (
      <span data-notable={isNotable(action)} className={styles.action} title={action}>
        {actionText[action] ?? action}
      </span>
    ),
  },
  {
    key: "target",
    head: "What",
    cell: ({ entry: { target } }) => (
      <span className={styles.target} title={target}>
        {target}
      </span>
    ),
  },
  {
    key: "address",
    head: "From",
    wideOnly: true,
    cell: ({ entry: { address } }) => (
      <span className={styles.quiet}>{address ?? "command line"}</span>
    ),
  },
];

/** The entries of a span and a person, the newest first; null: not read yet. */
function useEntries({ client }: Session, span: string, who: string) {
  const [entries, setEntries] = useState<readonly AuditEntry[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    try {
      const filter = {
        ...(span !== allTimes && { from: span }),
        ...(who !== "" && { who }),
        limit: entriesMax,
      };
      setEntries(await client.audit(filter));
      setProblem(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  }, [client, span, who]);
  useEffect(() => void load(), [load]);
  return { entries, problem, load };
}
