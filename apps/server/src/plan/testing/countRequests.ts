import type { ResolvedQuery } from "../query/resolvedQuery.js";

/** Counts the rows of a minute: the least that a leaf can be asked. */
export const countRequests: ResolvedQuery = {
  table: "requests",
  sides: [{ fromMs: 0, toMs: 60_000, filter: { kind: "all", filters: [] }, buckets: null }],
  groupBy: [],
  states: [{ kind: "rows" }, { kind: "weight" }],
  sample: null,
  cut: { max: 100, bySeries: false, ranks: [] },
};
