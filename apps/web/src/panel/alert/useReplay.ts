import { type AlertPreviewFiring, type AlertRule, type HadalClient, HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { printDuration } from "../../format/duration.js";
import { formatLack } from "../../format/lack.js";
import { type ReplayRange, type ReplaySeries, seriesOf } from "./replaySeries.js";

const dayMs = 86_400_000;
const replayMs = 7 * dayMs;
/** A change of the form asks after this pause. */
const pauseMs = 300;
/** Lines of groups that are drawn; all are judged. */
const linesMax = 20;

export interface Replay {
  readonly range: ReplayRange;
  readonly series: ReplaySeries | null;
  /** What the series lacks, in words; null: nothing. */
  readonly lack: string | null;
  /** null: not judged (yet). */
  readonly firings: readonly AlertPreviewFiring[] | null;
  readonly problem: string | null;
}

/** The windows of the last seven days. They hold still while the dialog is open. */
const lastWeek = (nowMs: number): ReplayRange => ({ fromMs: nowMs - replayMs, toMs: nowMs });

/**
 * What a rule would have seen and done in the last seven days. `watched` is what its numbers depend on,
 * `rule` all of it; null: the form has faults. Both are asked again when they change.
 */
export function useReplay(
  client: HadalClient,
  watched: Pick<AlertRule, "query" | "perGroup"> & { readonly aggregate: string },
  rule: AlertRule | null,
  windowMs: number,
): Replay {
  const range = useMemo(() => lastWeek(Date.now()), []);
  const seriesKey = JSON.stringify([watched, windowMs]);
  const series = useAsked(seriesKey, async (signal) => {
    const { query, aggregate, perGroup } = watched;
    const groups = perGroup === true ? (query.groupBy ?? []) : [];
    const asked = {
      ...query,
      ...{ from: range.fromMs, to: range.toMs, series: linesMax },
      groupBy: [{ time: printDuration(windowMs) }, ...groups],
    };
    const result = await client.query(asked, { signal });
    return { series: seriesOf(result, aggregate), lack: formatLack(result.completeness) };
  });
  const firings = useAsked(rule === null ? null : JSON.stringify(rule), async (signal) =>
    rule === null ? null : (await client.alerts.preview(rule, { signal })).firings,
  );
  return {
    range,
    series: series.value?.series ?? null,
    lack: series.value?.lack ?? null,
    firings: firings.value,
    problem: series.problem ?? firings.problem,
  };
}

interface Asked<Value> {
  readonly value: Value | null;
  readonly problem: string | null;
}

/** Asks again whenever the key changes; the last answer stays until the next is there. Null: asks nothing. */
function useAsked<Value>(
  key: string | null,
  ask: (signal: AbortSignal) => Promise<Value | null>,
): Asked<Value> {
  const [answer, setAnswer] = useState<Asked<Value>>({ value: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says when the question is another one
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const read = async (): Promise<void> => {
      try {
        const value = await ask(signal);
        if (!signal.aborted) setAnswer({ value, problem: null });
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof HadalError)) throw error;
        setAnswer({ value: null, problem: error.errors[0]?.detail ?? error.message });
      }
    };
    const timer = key === null ? null : setTimeout(() => void read(), pauseMs);
    if (key === null) setAnswer({ value: null, problem: null });
    return () => {
      if (timer !== null) clearTimeout(timer);
      stop.abort();
    };
  }, [key]);
  return answer;
}
