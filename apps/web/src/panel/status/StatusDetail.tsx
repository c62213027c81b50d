import type { MemberInfo, Result } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { formatMs } from "../../format/duration.js";
import { formatCompact, formatExact } from "../../format/number.js";
import { formatIso } from "../../format/time.js";
import { formatBytes } from "../../format/value.js";
import { Button } from "../../ui/button/Button.js";
import { usePanel } from "../panel.js";
import { isIncomplete } from "./completeness.js";
import styles from "./StatusLine.module.css";

/** Details of a result: its rows, its cost, the leaves that answered, and notes on its numbers. */
export function StatusDetail({ result }: { readonly result: Result }) {
  const { completeness, notes = [] } = result;
  return (
    <div className={styles.detail} data-testid="status-detail">
      <dl className={styles.facts}>
        {factsOf(result).map(([name, text]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {notes.length > 0 && (
        <ul className={styles.notes} data-testid="status-notes">
          {notes.map(({ column, text }) => (
            <li key={`${column} ${text}`}>{column === undefined ? text : `${column}: ${text}`}</li>
          ))}
        </ul>
      )}
      <LeafList missing={completeness.leaves.missing} />
      {isIncomplete(completeness) && <RetryActions />}
    </div>
  );
}

type Fact = readonly [name: string, text: string];

/** None for whoever may read only some of the table's rows. */
function answeredFacts({ rowsAnswered, rowsExpected, known }: Result["completeness"]): Fact[] {
  if (rowsAnswered === undefined || rowsExpected === undefined) return [];
  const expected = known === false ? "an unknown number" : formatExact(rowsExpected);
  return [["rows answered", `${formatExact(rowsAnswered)} of ${expected}`]];
}

function scannedFacts({
  rowsScanned,
  bytesScanned,
  segments,
  segmentsSkipped,
}: Result["stats"]): Fact[] {
  if (rowsScanned === undefined || bytesScanned === undefined) return [];
  const skipped = `${formatExact(segments ?? 0)}, ${formatExact(segmentsSkipped ?? 0)} skipped`;
  return [
    ["rows scanned", formatExact(rowsScanned)],
    ["bytes scanned", formatBytes(bytesScanned)],
    ["segments", skipped],
  ];
}

/** None before the first query of its kind, and for an answer that was known already. */
function predictedFacts({ predictedMs }: Result["stats"]): Fact[] {
  if (predictedMs === undefined) return [];
  return [["predicted time", `${formatMs(predictedMs)}, from earlier queries like it`]];
}

/** Who asked whom: one fact for each level of the tree, the root first. */
function levelFacts({ levels = [] }: Result["stats"]): Fact[] {
  return levels.map(({ level, children, waitMs, mergeMs }) => [
    level === 0 ? "root" : `level ${level}`,
    `asked ${formatExact(children)} · waited ${formatMs(waitMs)} · merged ${formatMs(mergeMs)}`,
  ]);
}

function factsOf({ completeness, stats, asOf, truncated }: Result): readonly Fact[] {
  const unseen = truncated?.unseenMax;
  const one = truncated?.series === undefined ? "group" : "series";
  return [
    ...answeredFacts(completeness),
    ["rows matched", formatExact(stats.rowsMatched)],
    ...scannedFacts(stats),
    [
      "time",
      `${formatMs(stats.elapsedMs)} · scan ${formatMs(stats.scanMs)} · merge ${formatMs(stats.mergeMs)}`,
    ],
    ...predictedFacts(stats),
    ...levelFacts(stats),
    ["cache", stats.cache],
    ["as of", formatIso(asOf)],
    ...(unseen === undefined
      ? []
      : [["not shown", `no ${one} has more than ${formatExact(unseen)}`] as const]),
  ];
}

/** For an incomplete result: the same query again, or a query that waits for every row. */
function RetryActions() {
  const { state, dive, dispatch } = usePanel();
  return (
    <div className={styles.actions}>
      <Button data-testid="retry" onClick={dive}>
        Ask again
      </Button>
      {!state.exact && (
        <Button
          data-testid="make-exact"
          title="Every row or no answer: waits for leaves that are late, refuses what is incomplete"
          onClick={() => dispatch({ kind: "set exact", exact: true })}
        >
          Make exact
        </Button>
      )}
    </div>
  );
}

/** The current leaves of the server; those that did not answer are marked. */
function LeafList({ missing }: { readonly missing: readonly string[] }) {
  const { session } = usePanel();
  const [members, setMembers] = useState<readonly MemberInfo[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    session.client.status().then(
      (status) => current && setMembers(status.members.filter(({ role }) => role === "leaf")),
      (error: Error) => current && setProblem(error.message),
    );
    return () => {
      current = false;
    };
  }, [session]);
  if (problem !== null) return <p className={styles.quiet}>{problem}</p>;
  return (
    <ul className={styles.leaves}>
      {(members ?? []).map((leaf) => (
        <li key={leaf.id} data-missing={missing.includes(leaf.id)} data-state={leaf.state}>
          <i className={styles.dot} />
          <span>{leaf.id}</span>
          <span className={styles.quiet}>
            {missing.includes(leaf.id) ? "did not answer · " : ""}
            {leaf.state} · {formatCompact(leaf.rows)} rows · {formatBytes(leaf.bytes)}
          </span>
        </li>
      ))}
    </ul>
  );
}
