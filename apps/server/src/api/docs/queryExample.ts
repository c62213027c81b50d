/** The query of the examples. */
export const queryExample = {
  table: "visits",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  filter: [{ column: "page", op: "=", value: "/cart" }],
  groupBy: [{ time: "1h" }, "page"],
  aggregates: [{ fn: "count" }, { fn: "percentile", column: "ms", p: 95 }],
} as const;
