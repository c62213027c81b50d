import { HadalError, resolveTimeRange } from "@hadal/sdk";
import type { WrittenRange } from "../../../draft/edit/shiftTime.js";
import { durationInWords, printDuration } from "../../../format/duration.js";
import { formatInstant } from "../../../format/time.js";
import { useFormQuery } from "../../formQuery.js";
import { retentionSpans, type SpanPercent } from "./retentionSpans.js";
import styles from "./time.module.css";

/** A line of time: the table's rows, the expired span, and the range of the query. */
export function RetentionLine() {
  const { state, table, timeZone } = useFormQuery();
  const { fromMs = null, toMs = null, retention } = table ?? {};
  if (retention === undefined || fromMs === null || toMs === null) return null;
  const nowMs = Date.now();
  const queried = rangeOf(state, nowMs, timeZone);
  const { maxAgeMs } = retention;
  const expiredMs = maxAgeMs === null ? null : nowMs - maxAgeMs;
  const spans = retentionSpans({ stored: { fromMs, toMs }, expiredMs, queried, nowMs });
  const kept = maxAgeMs === null ? "no age limit" : `kept for ${keptFor(maxAgeMs)}`;
  const missing = queried !== null && queried.fromMs < fromMs;
  return (
    <div className={styles.retention} data-testid="retention">
      <div className={styles.track} aria-hidden="true">
        {spans.expired !== null && <i className={styles.expired} style={styleOf(spans.expired)} />}
        <i className={styles.stored} style={styleOf(spans.stored)} />
        {spans.queried !== null && <i className={styles.queried} style={styleOf(spans.queried)} />}
      </div>
      <p className={styles.hint}>
        Rows from {formatInstant(Math.floor(fromMs / 1_000) * 1_000, timeZone)} on, {kept}
        {missing && "; the range begins earlier"}
      </p>
    </div>
  );
}

const styleOf = ({ left, width }: SpanPercent) => ({ left: `${left}%`, width: `${width}%` });

const keptFor = (ms: number): string => durationInWords(printDuration(ms));

function rangeOf({ from, to }: WrittenRange, nowMs: number, timeZone: string) {
  try {
    return resolveTimeRange(from, to, nowMs, timeZone);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return null;
  }
}
