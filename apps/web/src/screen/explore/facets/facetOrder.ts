import { type ColumnInfo, type Facet, timeColumn } from "@hadal/sdk";
import { columnsOfFilter } from "../../../query/filter/filterTree.js";
import { groupColumn } from "../../../query/group/groupSpec.js";
import type { ExploreState } from "../../../query/state/exploreState.js";

export type FacetSection = "in use" | "interesting" | "others";

export interface FacetPlace {
  readonly column: ColumnInfo;
  readonly section: FacetSection;
}

const sections: readonly FacetSection[] = ["in use", "interesting", "others"];

/** Columns that the question names, those worth splitting by, the rest; each in the table's order. */
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

/** Few enough values to tell apart, more than one, and rows that have them; ids and constants are not. */
function isInteresting({ distinct, values, fill }: Facet): boolean {
  if (distinct === null || distinct < 2 || distinct > 200 || fill < 0.05) return false;
  // What nearly all rows share tells them apart as little as what each has for itself.
  return (values?.[0]?.share ?? 1) < 0.995;
}

/** Columns that the question filters, splits, counts or derives by. */
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
