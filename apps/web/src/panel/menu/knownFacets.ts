import type { Facet } from "@hadal/sdk";
import { createStore } from "zustand/vanilla";

/** The last counts of the column list, for parts that need a column's values. */
export const knownFacets = createStore<{
  readonly table: string;
  readonly facets: ReadonlyMap<string, Facet>;
}>(() => ({ table: "", facets: new Map() }));

/** null: not counted. */
export function facetOf(table: string, column: string): Facet | null {
  const known = knownFacets.getState();
  return known.table === table ? (known.facets.get(column) ?? null) : null;
}
