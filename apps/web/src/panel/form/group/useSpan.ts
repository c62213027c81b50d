import { type ColumnInfo, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useFormQuery } from "../../formQuery.js";

/** The percentiles of a span. */
const shares = [1, 25, 50, 75, 95, 99] as const;

/** Percentiles of the column in the range: where most values are, without outliers. */
export type Span = Readonly<Record<(typeof shares)[number], number>>;

/** null: not measured yet, no rows, or not a number column. */
export function useSpan(column: ColumnInfo): Span | null {
  const { session, state } = useFormQuery();
  const { table, from, to } = state;
  const { name, type } = column;
  const [span, setSpan] = useState<Span | null>(null);
  useEffect(() => {
    setSpan(null);
    if (type !== "int") return;
    const stop = new AbortController();
    const aggregates = shares.map((p) => ({ fn: "percentile" as const, column: name, p }));
    session.client.query({ table, from, to, aggregates }, { signal: stop.signal }).then(
      ({ rows: [row] }) => {
        const values = (row ?? []).map((value) => (value === null ? null : Number(value)));
        if (stop.signal.aborted || values.length < shares.length || values.includes(null)) return;
        setSpan(Object.fromEntries(shares.map((p, i) => [p, values[i]])) as unknown as Span);
      },
      // Suggestions are optional: without them the width is typed.
      (error: unknown) => {
        if (!(error instanceof HadalError) && !stop.signal.aborted) throw error;
      },
    );
    return () => stop.abort();
  }, [session, table, from, to, name, type]);
  return span;
}
