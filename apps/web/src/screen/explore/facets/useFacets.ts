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
import { knownFacets } from "../../../panel/menu/knownFacets.js";
import { useExplore } from "../explore.js";

export interface FacetsShown {
  readonly facets: ReadonlyMap<string, Facet>;
  /** Of which rows they tell; null until they are all counted. */
  readonly completeness: Completeness | null;
  /** Why there are none. */
  readonly problem: HadalError | null;
  /** What is shown belongs to an earlier question, or is still being counted. */
  readonly waiting: boolean;
  /** Counts again what could not be counted. */
  readonly again: () => void;
}

interface Shown extends Pick<FacetsShown, "facets" | "completeness" | "problem"> {
  /** The request that they answer; empty: none as a whole. */
  readonly of: string;
}

const nothing: Shown = { of: "", facets: new Map(), completeness: null, problem: null };
/** Nobody waits for them as for the answer: on a busy machine they may take their time. */
export const facetTimeoutMs = 20_000;
/** Asked for at once: as many as people scroll through; the others are counted when they are opened. */
const columnsAtOnce = 100;

/** Values and counts of the columns over all rows that match, asked for when the answer itself is there. */
export function useFacets(columns: readonly ColumnInfo[], settled: boolean): FacetsShown {
  const { session, state, timeZone } = useExplore();
  const { table, from, to, derive, filters } = state;
  const [shown, setShown] = useState(nothing);
  const filter = filters.filter(({ off }) => !off).map((chip) => chip.filter);
  const names = columns
    .map(({ name }) => name)
    .filter((name) => name !== timeColumn)
    .slice(0, columnsAtOnce);
  const asked = JSON.stringify({ table, from, to, timeZone, filter, derive, names }, bigintAsText);
  const isDone = shown.of === asked;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the request is what matters of its parts
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
        (facets) => show(asked, facets),
        (error: unknown) => {
          if (stop.signal.aborted) return;
          if (!(error instanceof HadalError)) throw error;
          setShown({ ...nothing, of: asked, problem: error });
        },
      );
    return () => stop.abort();
  }, [session, asked, settled, isDone]);
  const again = (): void => setShown({ ...nothing, facets: shown.facets });
  const { facets, completeness, problem } = shown;
  return { facets, completeness, problem, waiting: !isDone, again };
}
