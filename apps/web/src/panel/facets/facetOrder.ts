import { type ColumnInfo, type Facet, timeColumn } from "@hadal/sdk";
import { columnsOfFilter } from "../../query/filter/filterTree.js";
import { groupColumn } from "../../query/group/groupSpec.js";
import type { ExploreState } from "../../query/state/exploreState.js";

export type FacetSection = "in use" | "interesting" | "others";

export interface FacetPlace {
  readonly column: ColumnInfo;
  readonly section: FacetSection;
}

const sections: readonly FacetSection[] = ["in use", "interesting", "others"];

/** Columns of the query, then those worth grouping by, then the rest; each in the table's order. */
export function placedColumns(
  columns: readonly ColumnInfo[],
  inUse: ReadonlySet<string>,
  facets: ReadonlyMap<string, Facet>,
  search: string,
): readonly FacetPlace[] {
  const needle = search.trim().toLowerCase();
  const found = columns.filter(
    ({ name }) => name !== timeColumn && name.toLowerCase().includes(needle),
  );
  const placed = found.map((column): FacetPlace => {
    const isUsed = inUse.has(column.name);
    const facet = facets.get(column.name);
    const isWorth = facet !== undefined && isInteresting(facet);
    return { column, section: isUsed ? "in use" : isWorth ? "interesting" : "others" };
  });
  return sections.flatMap((section) => placed.filter((place) => place.section === section));
}

/** Between 2 and 200 distinct values in enough rows: ids and constants are not interesting. */
function isInteresting({ distinct, values, fill }: Facet): boolean {
  if (distinct === null || distinct < 2 || distinct > 200 || fill < 0.05) return false;
  // A value that nearly all rows share does not distinguish them.
  return (values?.[0]?.share ?? 1) < 0.995;
}

/** Columns that the query filters by, groups by, aggregates or derives. */
export function columnsInUse(state: ExploreState): ReadonlySet<string> {
  return new Set([
    ...state.filters.flatMap(({ filter }) => columnsOfFilter(filter)),
    ...state.groupBy.map(groupColumn),
    ...state.aggregates.flatMap(({ column, columns }) => [
      ...(column === undefined ? [] : [column]),
      ...(columns ?? []),
    ]),
    ...state.derive.map(({ as }) => as),
  ]);
}
