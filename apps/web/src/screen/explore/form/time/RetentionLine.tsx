import { HadalError, resolveTimeRange } from "@hadal/sdk";
import type { WrittenRange } from "../../../../draft/edit/shiftTime.js";
import { durationInWords, printDuration } from "../../../../format/duration.js";
import { formatInstant } from "../../../../format/time.js";
import { useExplore } from "../../explore.js";
import styles from "./time.module.css";

/** Where the table's rows lie, which are expired, and which of them are asked for. */
export function RetentionLine() {
  const { state, table, timeZone } = useExplore();
  if (table === null || table.fromMs === null || table.toMs === null) return null;
  const nowMs = Date.now();
  const asked = rangeOf(state, nowMs, timeZone);
  const { maxAgeMs } = table.retention;
  const expiredMs = maxAgeMs === null ? null : nowMs - maxAgeMs;
  const startMs = Math.min(table.fromMs, asked?.fromMs ?? table.fromMs, expiredMs ?? table.fromMs);
  const endMs = Math.max(nowMs, table.toMs, asked?.toMs ?? nowMs);
  const span = (fromMs: number, toMs: number) => {
    const at = (timeMs: number) => ((timeMs - startMs) / Math.max(1, endMs - startMs)) * 100;
    return { left: `${at(fromMs)}%`, width: `${Math.max(0.5, at(toMs) - at(fromMs))}%` };
  };
  const kept = maxAgeMs === null ? "no age limit" : `kept for ${keptFor(maxAgeMs)}`;
  const missing = asked !== null && asked.fromMs < table.fromMs;
  return (
    <div className={styles.retention} data-testid="retention">
      <div className={styles.track} aria-hidden="true">
        {expiredMs !== null && expiredMs > startMs && (
          <i className={styles.expired} style={span(startMs, expiredMs)} />
        )}
        <i className={styles.stored} style={span(table.fromMs, table.toMs)} />
        {asked !== null && <i className={styles.asked} style={span(asked.fromMs, asked.toMs)} />}
      </div>
      <p className={styles.hint}>
        Rows from {formatInstant(Math.floor(table.fromMs / 1_000) * 1_000, timeZone)} on, {kept}
        {missing && "; the range begins before them"}
      </p>
    </div>
  );
}

const keptFor = (ms: number): string => durationInWords(printDuration(ms));

function rangeOf({ from, to }: WrittenRange, nowMs: number, timeZone: string) {
  try {
    return resolveTimeRange(from, to, nowMs, timeZone);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return null;
  }
}
