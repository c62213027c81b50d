import { type ColumnValue, type FilterValue, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useBoard } from "../board/boardContext.js";

/** The picker's list; the search finds the others. */
export const valuesMax = 100;
/** The search starts after this pause in typing. */
const typingMs = 120;

interface FoundValues {
  /** null: not counted yet. */
  readonly values: readonly { readonly value: FilterValue; readonly count: number | null }[] | null;
  readonly problem: string | null;
}

/** The most frequent values of the column in the board's range that begin with the text. */
export function useValues(table: string, column: string, prefix: string): FoundValues {
  const { session, bar } = useBoard();
  const { from, to } = bar;
  const [found, setFound] = useState<FoundValues>({ values: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const asked = { from, to, limit: valuesMax, signal, ...(prefix !== "" && { prefix }) };
    const timer = setTimeout(
      () =>
        session.client.values(table, column, asked).then(
          (values) =>
            signal.aborted || setFound({ values: values.flatMap(ofValue), problem: null }),
          (error: unknown) => {
            if (signal.aborted) return;
            if (!(error instanceof HadalError)) throw error;
            setFound({ values: [], problem: error.message });
          },
        ),
      prefix === "" ? 0 : typingMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [session, table, column, from, to, prefix]);
  return found;
}

/** A missing value is none to choose. */
const ofValue = ({ value, count }: ColumnValue) =>
  value === null
    ? []
    : [{ value: typeof value === "bigint" ? String(value) : value, count: Number(count) }];

export interface ValueCount {
  /** null: more than can be counted. */
  readonly distinct: number | null;
  readonly isExact: boolean;
}

/** How many different values the column has in the board's range; null: not known. */
export function useValueCount(table: string, column: string): ValueCount | null {
  const { session, bar } = useBoard();
  const { from, to } = bar;
  const [count, setCount] = useState<ValueCount | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    session.client.facets({ table, from, to, columns: [column], limit: 1 }, { signal }).then(
      ({ columns: [facet] }) => {
        if (signal.aborted || facet === undefined) return;
        setCount({ distinct: facet.distinct, isExact: facet.distinctIsExact });
      },
      (error: unknown) => {
        // The list says why there are no values.
        if (!signal.aborted && !(error instanceof HadalError)) throw error;
      },
    );
    return () => stop.abort();
  }, [session, table, column, from, to]);
  return count;
}
