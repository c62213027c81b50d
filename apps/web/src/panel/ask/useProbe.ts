import { type ColumnInfo, HadalError, printQuery, type Query, type Result } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { buildProbe } from "../../draft/ask/buildQuery.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { PanelSession } from "./panelSession.js";

/** The result that the view's query is built from: not needed, pending, ready or failed. */
export type Probe =
  | { readonly kind: "none" | "pending" }
  | { readonly kind: "ready"; readonly result: Result }
  | { readonly kind: "failed"; readonly problem: HadalError };

interface Probed {
  readonly key: string;
  readonly probe: Probe;
}

const none: Probe = { kind: "none" };
const pending: Probe = { kind: "pending" };

/** The state to probe for, and how often it was asked. */
export interface ProbeAsked {
  readonly state: ExploreState;
  readonly asked: number;
  readonly timeZone: string;
  readonly columns: readonly ColumnInfo[] | null;
}

/** Runs the query that the view needs first, once for each run of its own query. */
export function useProbe(
  session: PanelSession,
  { state, asked, timeZone, columns }: ProbeAsked,
): Probe {
  const [last, setLast] = useState<Probed | null>(null);
  const query = useMemo(() => probeOf(state, timeZone, columns), [state, timeZone, columns]);
  const key = query === null ? "" : `${asked} ${printQuery(query)}`;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the query, and how often it was asked
  useEffect(() => {
    if (query === null) return;
    const stop = new AbortController();
    session.client.query(query, { signal: stop.signal }).then(
      (result) => setLast({ key, probe: { kind: "ready", result } }),
      (error: unknown) => {
        if (stop.signal.aborted) return;
        // Any other error is a bug of the page.
        if (!(error instanceof HadalError)) throw error;
        setLast({ key, probe: { kind: "failed", problem: error } });
      },
    );
    return () => stop.abort();
  }, [session, key]);

  if (query === null) return none;
  return last?.key === key ? last.probe : pending;
}

/** null: the view needs no first query, or its own query will report the problem. */
function probeOf(
  state: ExploreState,
  timeZone: string,
  columns: readonly ColumnInfo[] | null,
): Query | null {
  if (columns === null) return null;
  try {
    return buildProbe(state, { timeZone, nowMs: Date.now(), columns });
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return null;
  }
}
