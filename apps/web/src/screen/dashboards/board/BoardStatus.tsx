import { useStore } from "zustand";
import { formatCompleteness } from "../../../format/change.js";
import { formatMs } from "../../../format/duration.js";
import { shortenName } from "../../../format/name.js";
import { formatCompact } from "../../../format/number.js";
import { formatClock } from "../../../format/time.js";
import { summaryOf } from "../model/reports.js";
import styles from "./board.module.css";
import { useBoard } from "./boardContext.js";

/** At this share of the rows and below, the status is amber. */
const completenessWarn = 0.995;

/** One line for the whole board: the worst of its tiles. */
export function BoardStatus() {
  const { reports, timeZone } = useBoard();
  const summary = summaryOf(useStore(reports));
  const { tiles, answered, failed, isBusy, isSettled, fraction, leaves, missing } = summary;
  const { rowsScanned, oldestMs, slowest } = summary;
  const isIncomplete = fraction !== null && (fraction <= completenessWarn || missing.length > 0);
  const parts = [
    answered < tiles
      ? `${answered} of ${tiles} tiles`
      : `${tiles} ${tiles === 1 ? "tile" : "tiles"}`,
    ...(fraction === null ? [] : [`${formatCompleteness(fraction)} of rows`]),
    ...(leaves === null ? [] : [`${leaves.answered}/${leaves.total} leaves`]),
    ...(rowsScanned === null ? [] : [`${formatCompact(rowsScanned)} rows`]),
    ...(oldestMs === null ? [] : [`oldest as of ${formatClock(oldestMs, timeZone)}`]),
    ...(slowest === null
      ? []
      : [`slowest ${formatMs(slowest.elapsedMs)}: ${shortenName(slowest.title, 30)}`]),
    ...(missing.length === 0 ? [] : [`no answer from ${missing.slice(0, 4).join(", ")}`]),
  ];
  return (
    <p
      className={styles.status}
      data-testid="board-status"
      data-busy={isBusy}
      data-incomplete={isIncomplete}
      data-settled={tiles > 0 && isSettled}
    >
      <span>{parts.join(" · ")}</span>
      {failed > 0 && (
        <span className={styles.failed}>
          {failed} {failed === 1 ? "tile has" : "tiles have"} no answer
        </span>
      )}
    </p>
  );
}
