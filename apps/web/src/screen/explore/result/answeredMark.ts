import type { Query } from "@hadal/sdk";
import type { Mark } from "../../../chart/intent.js";
import { filtersOfGroup } from "../../../query/groupFilter.js";

/** The mark with what its rows are: its values are those of the question that was answered, which may split by more, or otherwise, than the form. */
export const answeredMark = (mark: Mark, { groupBy = [] }: Query): Mark => ({
  ...mark,
  filters: mark.filters ?? filtersOfGroup(mark.group, groupBy),
});
