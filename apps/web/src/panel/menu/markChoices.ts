import type { Mark } from "../../chart/kit/answer/intent.js";
import { labelOfGroup } from "../../chart/kit/answer/series.js";
import type { Selection } from "../../draft/edit/edits.js";
import type { ViewId } from "../../query/state/exploreState.js";

/** The choices for a mark. */
export interface MarkChoices {
  readonly label: string;
  readonly selection: Selection;
  /** Why no query can select its rows, in words; null: one can. */
  readonly reason: string | null;
  /** It selects a part of the rows, by values or by times. */
  readonly hasRows: boolean;
  readonly hasFilters: boolean;
  readonly canDiffer: boolean;
  readonly canSeeRows: boolean;
}

const allRows: Selection = { filters: [], range: null };

/** The rows behind a mark, and what the menu can do with them in this view. */
export function choicesOf(mark: Mark | null, view: ViewId): MarkChoices {
  const reason = mark?.noFilter ?? null;
  // A mark that no filter describes selects nothing: some of its filters alone would match other rows.
  const selection = mark === null || reason !== null ? allRows : selectionOf(mark);
  const hasFilters = selection.filters.length > 0;
  return {
    label: mark?.label ?? labelOfGroup(mark?.group ?? []),
    selection,
    reason,
    hasRows: hasFilters || selection.range !== null,
    hasFilters,
    canDiffer: hasFilters || selection.of !== undefined,
    canSeeRows: view !== "rows" && reason === null,
  };
}

/** As filters and times. */
function selectionOf({ filters = [], also = [], range, rangeOf: of }: Mark): Selection {
  return { filters: [...filters, ...also], range: range ?? null, ...(of !== undefined && { of }) };
}
