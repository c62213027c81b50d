import type { Edit } from "../../draft/edit/edits.js";
import type { ExploreState, FilterChip } from "../../query/state/exploreState.js";

/** What an empty result lacks: rows, or values of the drawn column. */
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

/** The edit to fewer filters; null: no filter is enabled. Clearing keeps pinned filters, so those are disabled instead. */
export function withoutFilters(state: ExploreState): FewerFilters | null {
  const inForce = state.filters.filter(({ off }) => !off);
  if (inForce.length === 0) return null;
  if (inForce.some(({ pinned }) => pinned !== true)) {
    return { label: "Remove the filters", edit: { kind: "keep steps", count: 0 } };
  }
  const filters = state.filters.map((chip) => ({ ...chip, off: true }));
  return { label: "Disable the filters", edit: { kind: "open", state: { ...state, filters } } };
}
