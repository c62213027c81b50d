import { type ColumnInfo, HadalError, type ResultColumn } from "@hadal/sdk";
import { useEffect, useMemo, useState } from "react";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { Session } from "../../session/session.js";

const none: readonly ColumnInfo[] = [];

/** The table's columns and those that the question derives, whose types the newest row tells; null until the table is read. */
export function useColumns(
  session: Session,
  { table, from, to, derive }: ExploreState,
  own: readonly ColumnInfo[] | null,
): readonly ColumnInfo[] | null {
  const [derived, setDerived] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the types are those of the computation, whichever rows tell them
  useEffect(() => {
    if (derive.length === 0) {
      setDerived(none);
      return;
    }
    const stop = new AbortController();
    const names = derive.map(({ as }) => as);
    const query = { table, from, to, derive, sampleView: { columns: names }, limit: 1 };
    session.client.query(query, { signal: stop.signal }).then(
      ({ columns }) => {
        if (stop.signal.aborted) return;
        setDerived(columns.filter(({ name }) => names.includes(name)).map(infoOf));
      },
      (error: unknown) => {
        if (stop.signal.aborted) return;
        if (!(error instanceof HadalError)) throw error;
        // What is wrong with them the main answer says at its place; here they are texts.
        setDerived(names.map((name) => infoOf({ name, type: "string", role: "sample" })));
      },
    );
    return () => stop.abort();
  }, [session, table, derive]);
  return useMemo(
    () => (own === null || derived.length === 0 ? own : [...own, ...derived]),
    [own, derived],
  );
}

function infoOf({ name, type, unit, decimals }: ResultColumn): ColumnInfo {
  const stored = type === "string" || type === "set" || type === "vector" ? type : "int";
  return {
    name,
    type: stored,
    decimals: decimals ?? 0,
    ...(unit !== undefined && { unit }),
    rows: 0,
    bytes: 0,
    compressionRatio: null,
  };
}
