import { type ColumnInfo, HadalError } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import type { ExploreState } from "../../query/state/exploreState.js";
import { derivedInfos, derivedQuery } from "./derivedColumns.js";
import type { PanelSession } from "./panelSession.js";

const none: readonly ColumnInfo[] = [];

/** The table's columns and the derived columns, whose types come from the newest row; null until the table is read. */
export function useColumns(
  session: PanelSession,
  { table, from, to, derive }: ExploreState,
  own: readonly ColumnInfo[] | null,
): readonly ColumnInfo[] | null {
  const [derived, setDerived] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the types are those of the computation, whichever rows they are read from
  useEffect(() => {
    if (derive.length === 0) {
      setDerived(none);
      return;
    }
    const stop = new AbortController();
    const query = derivedQuery({ table, from, to, derive });
    session.client.query(query, { signal: stop.signal }).then(
      (result) => {
        if (!stop.signal.aborted) setDerived(derivedInfos(derive, result));
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof HadalError)) throw error;
        // The main query reports problems of derived columns; until then they are texts.
        setDerived(derivedInfos(derive, null));
      },
    );
    return () => stop.abort();
  }, [session, table, derive]);
  return useMemo(
    () => (own === null || derived.length === 0 ? own : [...own, ...derived]),
    [own, derived],
  );
}
