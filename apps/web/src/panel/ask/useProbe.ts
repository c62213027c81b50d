import { type ColumnInfo, HadalError, printQuery, type Query, type Result } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import { buildProbe } from "../../draft/ask/buildQuery.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";

/** What the view's question is made from: not needed, on its way, there, or not to be had. */
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

/** Asks what the view must know first, once for every question that is asked. */
export function useProbe(session: Session, { state, asked, timeZone, columns }: ProbeAsked): Probe {
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
        // What is none of the server's problems is a bug of the page.
        if (!(error instanceof HadalError)) throw error;
        setLast({ key, probe: { kind: "failed", problem: error } });
      },
    );
    return () => stop.abort();
  }, [session, key]);

  if (query === null) return none;
  return last?.key === key ? last.probe : pending;
}

/** null where the view asks nothing first, or the question itself will say what is wrong. */
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
