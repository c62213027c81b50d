import { type ColumnInfo, type ColumnValue, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useExplore } from "../explore.js";

export interface ColumnValues {
  /** null while they are being counted. Of sets and vectors: their elements. */
  readonly values: readonly ColumnValue[] | null;
  /** Events in the range, to say what share a value has; null until known. */
  readonly total: number | null;
  readonly problem: HadalError | null;
}

/** A pause in typing after which the values are asked for. */
const typingMs = 120;
const nothing: ColumnValues = { values: null, total: null, problem: null };

/** The most frequent values of a column in the range, counted over all its rows. */
export function useColumnValues(column: ColumnInfo, prefix: string, limit: number): ColumnValues {
  const { session, state } = useExplore();
  const { table, from, to } = state;
  const { name } = column;
  const [known, setKnown] = useState(nothing);

  useEffect(() => {
    const stop = new AbortController();
    const range = { from, to, signal: stop.signal };
    const timer = setTimeout(
      async () => {
        try {
          const [values, all] = await Promise.all([
            session.client.values(table, name, {
              ...range,
              limit,
              ...(prefix !== "" && { prefix }),
            }),
            session.client.query(
              { table, from, to, aggregates: [{ fn: "count" }] },
              { signal: stop.signal },
            ),
          ]);
          if (stop.signal.aborted) return;
          const index = all.columns.findIndex((c) => c.name === "count");
          setKnown({ values, total: Number(all.rows[0]?.[index] ?? 0), problem: null });
        } catch (error) {
          if (stop.signal.aborted) return;
          if (!(error instanceof HadalError)) throw error;
          setKnown({ values: [], total: null, problem: error });
        }
      },
      prefix === "" ? 0 : typingMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [session, table, from, to, name, prefix, limit]);

  return known;
}
