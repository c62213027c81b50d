import { bigintAsText, type ColumnInfo, type Facet, type Filter, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useFormQuery } from "../formQuery.js";
import { facetTimeoutMs } from "./useFacets.js";

export interface FacetAnswer {
  readonly facet: Facet | null;
  readonly problem: HadalError | null;
}

/** The search starts after this pause in typing. */
const typingMs = 200;

/** The values of one column that contain the text, up to the limit. */
export function useFacetValues(column: ColumnInfo, search: string, limit: number): FacetAnswer {
  const { session, state, timeZone } = useFormQuery();
  const { table, from, to, derive, filters } = state;
  const { name } = column;
  const [answer, setAnswer] = useState<FacetAnswer>({ facet: null, problem: null });
  const searched = search !== "" && column.type === "string";
  const containing: readonly Filter[] = searched
    ? [{ column: name, op: "contains", value: search }]
    : [];
  const filter = [...filters.filter(({ off }) => !off).map((chip) => chip.filter), ...containing];
  const request = {
    table,
    from,
    to,
    timeZone,
    filter,
    derive,
    columns: [name],
    limit,
    timeoutMs: facetTimeoutMs,
  };
  const requestText = JSON.stringify(request, bigintAsText);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is compared by its text
  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        session.client.facets(request, { signal: stop.signal }).then(
          ({ columns: [facet] }) => {
            if (!stop.signal.aborted) setAnswer({ facet: facet ?? null, problem: null });
          },
          (error: unknown) => {
            if (stop.signal.aborted) return;
            if (!(error instanceof HadalError)) throw error;
            setAnswer({ facet: null, problem: error });
          },
        ),
      searched ? typingMs : 0,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [session, requestText]);
  return answer;
}
