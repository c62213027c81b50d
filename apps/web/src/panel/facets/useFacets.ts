import {
  bigintAsText,
  type ColumnInfo,
  type Completeness,
  type Facet,
  type Facets,
  HadalError,
  timeColumn,
} from "@hadal/sdk";
import { useEffect, useState } from "react";
import { useFormQuery } from "../formQuery.js";
import { knownFacets } from "../menu/knownFacets.js";

export interface FacetsShown {
  readonly facets: ReadonlyMap<string, Facet>;
  /** Which rows were counted; null: not all columns are counted yet. */
  readonly completeness: Completeness | null;
  /** Why the columns could not be counted. */
  readonly problem: HadalError | null;
  /** The facets belong to an earlier query or are still being counted. */
  readonly waiting: boolean;
  /** Repeats a failed count. */
  readonly retry: () => void;
}

interface Shown extends Pick<FacetsShown, "facets" | "completeness" | "problem"> {
  /** The request that the facets answer completely; empty: none. */
  readonly of: string;
}

const nothing: Shown = { of: "", facets: new Map(), completeness: null, problem: null };
/** Facets are less urgent than the answer, so a busy machine may take longer. */
export const facetTimeoutMs = 20_000;
/** Columns in one request; the others are counted when they are opened. */
const columnsAtOnce = 100;

/** Values and counts of the columns over all matching rows, requested after the answer. */
export function useFacets(
  columns: readonly ColumnInfo[],
  { settled }: { readonly settled: boolean },
): FacetsShown {
  const { session, state, timeZone } = useFormQuery();
  const { table, from, to, derive, filters } = state;
  const [shown, setShown] = useState(nothing);
  const filter = filters.filter(({ off }) => !off).map((chip) => chip.filter);
  const names = columns
    .map(({ name }) => name)
    .filter((name) => name !== timeColumn)
    .slice(0, columnsAtOnce);
  const requestText = JSON.stringify(
    { table, from, to, timeZone, filter, derive, names },
    bigintAsText,
  );
  const isDone = shown.of === requestText;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is compared by its text
  useEffect(() => {
    if (!settled || isDone || names.length === 0) return;
    const stop = new AbortController();
    const show = (of: string, { columns: found, completeness, final }: Facets): void => {
      if (stop.signal.aborted) return;
      const facets = new Map(found.map((facet) => [facet.name, facet]));
      knownFacets.setState({ table, facets });
      setShown({ of, facets, completeness: final ? completeness : null, problem: null });
    };
    const request = {
      table,
      from,
      to,
      timeZone,
      filter,
      derive,
      columns: names,
      timeoutMs: facetTimeoutMs,
    };
    session.client
      .facets(request, {
        signal: stop.signal,
        onPartial: (partial) => show("", partial),
      })
      .then(
        (facets) => show(requestText, facets),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          if (!(error instanceof HadalError)) throw error;
          setShown({ ...nothing, of: requestText, problem: error });
        },
      );
    return () => stop.abort();
  }, [session, requestText, settled, isDone]);
  const retry = (): void => setShown({ ...nothing, facets: shown.facets });
  const { facets, completeness, problem } = shown;
  return { facets, completeness, problem, waiting: !isDone, retry };
}
