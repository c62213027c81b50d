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

/** The receipt of an answer: what it stands on, what it cost, which leaves gave it, and what to know of its numbers. */
export function StatusDetail({ result }: { readonly result: Result }) {
  const { state, dive, dispatch } = usePanel();
  const { completeness, stats, asOf, truncated } = result;
  const facts: readonly (readonly [string, string])[] = [
    [
      "rows answered",
      completeness.known === false
        ? `${formatExact(completeness.rowsAnswered)} of an unknown number`
        : `${formatExact(completeness.rowsAnswered)} of ${formatExact(completeness.rowsExpected)}`,
    ],
    ["rows scanned", formatExact(stats.rowsScanned)],
    ["rows matched", formatExact(stats.rowsMatched)],
    ["bytes scanned", formatBytes(stats.bytesScanned)],
    ["segments", `${formatExact(stats.segments)}, ${formatExact(stats.segmentsSkipped)} skipped`],
    [
      "time",
      `${formatMs(stats.elapsedMs)} · scan ${formatMs(stats.scanMs)} · merge ${formatMs(stats.mergeMs)}`,
    ],
    ["cache", stats.cache],
    ["as of", formatIso(asOf)],
    ...(truncated?.unseenMax === undefined
      ? []
      : [
          [
            "not shown",
            `no ${truncated.series === undefined ? "group" : "series"} has more than ${formatExact(truncated.unseenMax)}`,
          ] as const,
        ]),
  ];
  const notes = result.notes ?? [];
  return (
    <div className={styles.detail} data-testid="status-detail">
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
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
      {isIncomplete(completeness) && (
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
      )}
    </div>
  );
}

/** The leaves as the server sees them now, those that did not answer marked. */
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
