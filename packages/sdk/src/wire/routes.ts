export const apiBase = "/api/v1";

/** Paths of the HTTP interface; names are escaped here and nowhere else. */
export const routes = {
  rows: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}/rows`,
  tables: () => `${apiBase}/tables`,
  table: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}`,
  settings: (table: string) => `${apiBase}/tables/${encodeURIComponent(table)}/settings`,
  values: (table: string, column: string) =>
    `${apiBase}/tables/${encodeURIComponent(table)}/columns/${encodeURIComponent(column)}/values`,
  query: () => `${apiBase}/query`,
  facets: () => `${apiBase}/facets`,
  whatChanged: () => `${apiBase}/what-changed`,
  runningQuery: (id: string) => `${apiBase}/query/${encodeURIComponent(id)}`,
  functions: () => `${apiBase}/functions`,
  function: (name: string) => `${apiBase}/functions/${encodeURIComponent(name)}`,
  functionTrial: () => `${apiBase}/functions/run`,
  links: () => `${apiBase}/links`,
  link: (id: string) => `${apiBase}/links/${encodeURIComponent(id)}`,
  status: () => `${apiBase}/status`,
  live: () => `${apiBase}/live`,
} as const;
