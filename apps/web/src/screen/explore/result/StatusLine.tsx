import type { MemberInfo, Result } from "@hadal/sdk";
import { Info } from "lucide-react";
import { useEffect, useState } from "react";
import { formatCompleteness } from "../../../format/change.js";
import { formatMs } from "../../../format/duration.js";
import { formatCompact, formatExact } from "../../../format/number.js";
import { formatClock, formatIso } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import { Popup } from "../../../ui/Popup.js";
import { useExplore } from "../explore.js";
import { isIncomplete, truncationWords } from "./completeness.js";
import styles from "./StatusLine.module.css";

export interface StatusLineProps {
  readonly result: Result | null;
  /** More is coming: a part, or the answer to a newer question. */
  readonly busy: boolean;
}

/** How far to believe the answer: always there, amber where rows are missing, opens to the leaves. */
export function StatusLine({ result, busy }: StatusLineProps) {
  const [open, setOpen] = useState(false);
  if (result === null) {
    return (
      <div className={styles.line} data-testid="status-line" data-busy={busy}>
        <span className={styles.quiet}>{busy ? "asking…" : "no answer"}</span>
      </div>
    );
  }
  const { leaves } = result.completeness;
  const incomplete = isIncomplete(result.completeness);
  return (
    <div
      className={styles.line}
      data-testid="status-line"
      data-incomplete={incomplete}
      data-busy={busy}
      data-final={result.final}
    >
      <Popup
        open={open}
        onOpenChange={setOpen}
        label="About this answer"
        trigger={
          <button type="button" className={styles.summary} title="About this answer">
            <StatusSummary result={result} />
            <Info size={13} aria-hidden="true" className={styles.info} />
          </button>
        }
      >
        <StatusDetail result={result} />
      </Popup>
      {leaves.missing.length > 0 && (
        <span className={styles.missing} data-testid="missing-leaves" role="status">
          no answer from {leaves.missing.slice(0, 4).join(", ")}
          {leaves.missing.length > 4 && ` and ${leaves.missing.length - 4} more`}
        </span>
      )}
    </div>
  );
}

function StatusSummary({ result }: { readonly result: Result }) {
  const { timeZone } = useExplore();
  const { completeness, stats, asOf } = result;
  const cut = truncationWords(result.truncated);
  const parts = [
    `${formatCompleteness(completeness.fraction)} of rows`,
    `${completeness.leaves.answered}/${completeness.leaves.total} leaves`,
    `as of ${formatClock(asOf, timeZone)}`,
    formatMs(stats.elapsedMs),
    `${formatCompact(stats.rowsScanned)} rows`,
    ...(cut === null ? [] : [cut]),
  ];
  return <span>{parts.join(" · ")}</span>;
}

function StatusDetail({ result }: { readonly result: Result }) {
  const { completeness, stats, asOf } = result;
  const facts: readonly (readonly [string, string])[] = [
    [
      "rows answered",
      `${formatExact(completeness.rowsAnswered)} of ${formatExact(completeness.rowsExpected)}`,
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
  ];
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
      <LeafList missing={completeness.leaves.missing} />
    </div>
  );
}

/** The leaves as the server sees them now, those that did not answer marked. */
function LeafList({ missing }: { readonly missing: readonly string[] }) {
  const { session } = useExplore();
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
