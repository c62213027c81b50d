import type { ExploreState } from "../../query/state/exploreState.js";

/** Columns that a filter in force pins to one value. */
export const groupFilterColumns = ({ filters }: ExploreState): string[] =>
  filters.flatMap(({ filter, off }) =>
    !off && "column" in filter && filter.op === "=" ? [filter.column] : [],
  );
