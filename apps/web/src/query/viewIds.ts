/** Every view, in the order in which the form offers them. Each has its question in `views/<id>.ts`. */
export const viewIds = [
  "timeseries",
  "area",
  "table",
  "bar",
  "distribution",
  "heatmap",
  "percentiles",
  "pie",
  "treemap",
  "sankey",
  "pivot",
  "scatter",
  "map",
  "tags",
  "leaderboards",
  "flame",
  "status",
  "bignumber",
  "timeline",
  "changes",
  "rows",
  "query",
] as const;

export type View = (typeof viewIds)[number];

export const isView = (text: string): text is View => viewIds.some((id) => id === text);
