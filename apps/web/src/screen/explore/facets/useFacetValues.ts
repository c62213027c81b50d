import { bigintAsText, type ColumnInfo, type Facet, type Filter, HadalError } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useExplore } from "../explore.js";
import { facetTimeoutMs } from "./useFacets.js";

export interface FacetAnswer {
  readonly facet: Facet | null;
  readonly problem: HadalError | null;
}

/** A pause in typing after which values are looked for. */
const typingMs = 200;

/** More values of one column than the list of columns came with: those that have the text, up to the limit. */
export function useFacetValues(column: ColumnInfo, search: string, limit: number): FacetAnswer {
  const { session, state, timeZone } = useExplore();
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
  const asked = JSON.stringify(request, bigintAsText);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the request is what matters of its parts
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
  }, [session, asked]);
  return answer;
}
