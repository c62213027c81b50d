import {
  type ColumnInfo,
  type ColumnValue,
  type Completeness,
  type FacetValue,
  type Filter,
  HadalError,
} from "@hadal/sdk";
import { useEffect, useState } from "react";
import { isOfSameLeaves } from "../../../chart/kit/answer/sameLeaves.js";
import { useFormQuery } from "../../formQuery.js";

export interface ColumnValues {
  /** The values, or the elements of a set or vector; null: not counted yet. */
  readonly values: readonly (ColumnValue | FacetValue)[] | null;
  /** Events in the range, the base of the shares; null: unknown. */
  readonly total: number | null;
  /** Which rows were counted; null: unknown. */
  readonly completeness: Completeness | null;
  readonly problem: HadalError | null;
}

/** The search starts after this pause in typing. */
const typingMs = 120;
const nothing: ColumnValues = { values: null, total: null, completeness: null, problem: null };

/** The most frequent values of a column in the range, counted over all its rows. */
export function useColumnValues(column: ColumnInfo, prefix: string, limit: number): ColumnValues {
  const { session, state, timeZone } = useFormQuery();
  const { table, from, to, derive } = state;
  const { name, type } = column;
  const [known, setKnown] = useState(nothing);

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const { client } = session;
    const range = { table, from, to };
    const isDerived = derive.some(({ as }) => as === name);
    const countStored = async (): Promise<Omit<ColumnValues, "problem">> => {
      const found = { from, to, signal, limit, ...(prefix !== "" && { prefix }) };
      const [values, all] = await Promise.all([
        client.values(table, name, found),
        client.query({ ...range, aggregates: [{ fn: "count" }] }, { signal }),
      ]);
      const index = all.columns.findIndex((c) => c.name === "count");
      const { completeness } = values;
      // Shares need both counts from the same leaves.
      const isShared = isOfSameLeaves(all.completeness, completeness);
      return { values, total: isShared ? Number(all.rows[0]?.[index] ?? 0) : null, completeness };
    };
    const countDerived = async (): Promise<Omit<ColumnValues, "problem">> => {
      const isSearched = prefix !== "" && type === "string";
      const filter: Filter[] = isSearched ? [{ column: name, op: "contains", value: prefix }] : [];
      const { columns, count, completeness } = await client.facets(
        { ...range, timeZone, derive, filter, columns: [name], limit },
        { signal },
      );
      const total = isSearched ? null : count;
      return { values: columns[0]?.values ?? [], total, completeness };
    };
    const timer = setTimeout(
      async () => {
        try {
          const found = await (isDerived ? countDerived() : countStored());
          if (!signal.aborted) setKnown({ ...found, problem: null });
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof HadalError)) throw error;
          setKnown({ ...nothing, values: [], problem: error });
        }
      },
      prefix === "" ? 0 : typingMs,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [session, table, from, to, timeZone, derive, name, type, prefix, limit]);

  return known;
}
