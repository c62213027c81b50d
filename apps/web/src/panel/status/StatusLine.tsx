import type { Result } from "@hadal/sdk";
import { Info, Sheet } from "lucide-react";
import { Fragment, useState } from "react";
import { formatMs } from "../../format/duration.js";
import { formatError } from "../../format/errorBar.js";
import { formatRowShare } from "../../format/lack.js";
import { formatCompact } from "../../format/number.js";
import { formatClock } from "../../format/time.js";
import { Popup } from "../../ui/popup/Popup.js";
import { usePanel } from "../panel.js";
import { isIncomplete, truncationWords, typicalError } from "./completeness.js";
import { StatusDetail } from "./StatusDetail.js";
import styles from "./StatusLine.module.css";
import { useReachWords } from "./useReachWords.js";

export interface StatusLineProps {
  readonly result: Result | null;
  /** More frames will arrive: the rest of a partial result, or the result of a new run. */
  readonly busy: boolean;
}

/** Completeness and cost of the result; amber where rows are missing; opens to the list of leaves. */
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
      <DataToggle />
    </div>
  );
}

/** A button that shows the result as a table. */
function DataToggle() {
  const { state, dispatch } = usePanel();
  const { show } = state.options;
  const shown = show === "data";
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-pressed={shown}
      aria-label="Show the numbers as a table"
      title="Show the numbers as a table"
      data-testid="data-toggle"
      onClick={() => dispatch({ kind: "set option", name: "show", value: shown ? "view" : "data" })}
    >
      <Sheet size={14} />
    </button>
  );
}

function StatusSummary({ result }: { readonly result: Result }) {
  const { timeZone } = usePanel();
  const { completeness, stats, asOf } = result;
  const lacking = useReachWords(asOf);
  const cut = truncationWords(result);
  const error = typicalError(result);
  const parts = [
    formatRowShare(completeness),
    ...(error === null ? [] : [formatError(error)]),
    `${completeness.leaves.answered}/${completeness.leaves.total} leaves`,
    `as of ${formatClock(asOf, timeZone)}`,
    formatMs(stats.elapsedMs),
    ...(stats.rowsScanned === undefined ? [] : [rowsInWords(stats.rowsScanned)]),
    ...(cut === null ? [] : [cut]),
    ...(lacking === null ? [] : [lacking]),
  ];
  return (
    <span>
      {parts.map((part, i) => (
        <Fragment key={part}>
          {i > 0 && " · "}
          <span className={styles.part}>{part}</span>
        </Fragment>
      ))}
    </span>
  );
}

const rowsInWords = (rows: number): string =>
  `${formatCompact(rows)} ${rows === 1 ? "row" : "rows"}`;
