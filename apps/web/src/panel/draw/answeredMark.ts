import type { Query } from "@hadal/sdk";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { filtersOfGroup } from "../../query/filter/groupFilter.js";

const noListFilter = "No filter asks for exactly this list. Its elements can be filtered by.";

/** Adds filters for the mark's rows. They follow the query of the result, whose groups may differ from the form's. */
export function answeredMark(mark: Mark, { groupBy = [] }: Query): Mark {
  const filters = mark.filters ?? filtersOfGroup(mark.group, groupBy);
  return filters === null ? { ...mark, noFilter: noListFilter } : { ...mark, filters };
}
