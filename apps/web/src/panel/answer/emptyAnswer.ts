import type { Edit } from "../../draft/edit/edits.js";
import type { ExploreState, FilterChip } from "../../query/state/exploreState.js";

/** What there is nothing of: rows, or values of the column that is drawn. */
export function emptyTitle(filters: readonly FilterChip[], column: string | null): string {
  const filtered = filters.some(({ off }) => !off);
  if (column === null) return filtered ? "No rows match" : "No rows in this range";
  return filtered
    ? `No row that matches has a value in ${column}`
    : `No row in this range has a value in ${column}`;
}

export interface FewerFilters {
  readonly label: string;
  readonly edit: Edit;
}

/** Goes on with fewer filters; null: none is in force. Pinned ones stay when filters are cleared: they are laid aside. */
export function withoutFilters(state: ExploreState): FewerFilters | null {
  const inForce = state.filters.filter(({ off }) => !off);
  if (inForce.length === 0) return null;
  if (inForce.some(({ pinned }) => pinned !== true)) {
    return { label: "Remove the filters", edit: { kind: "keep steps", count: 0 } };
  }
  const filters = state.filters.map((chip) => ({ ...chip, off: true }));
  return { label: "Lay the filters aside", edit: { kind: "open", state: { ...state, filters } } };
}
