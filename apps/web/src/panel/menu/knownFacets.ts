import type { Facet } from "@hadal/sdk";
import { createStore } from "zustand/vanilla";

/** What the list of columns has counted last, for parts that need to know a column's values. */
export const knownFacets = createStore<{
  readonly table: string;
  readonly facets: ReadonlyMap<string, Facet>;
}>(() => ({ table: "", facets: new Map() }));

/** null: not counted. */
export function facetOf(table: string, column: string): Facet | null {
  const known = knownFacets.getState();
  return known.table === table ? (known.facets.get(column) ?? null) : null;
}
