import { HadalError } from "@hadal/sdk";
import { readSql } from "@hadal/sdk/sql";

/** The query within a body or frame; the engine checks it. */
export interface QueryBody {
  readonly query: unknown;
  /** An error in terms of what was sent: of SQL with line and column instead of paths. */
  explain(error: unknown): unknown;
}

/** Reads `{"query": {...}}` or `{"sql": "..."}`. */
export function readQuery(body: Readonly<Record<string, unknown>>): QueryBody {
  const hasQuery = Object.hasOwn(body, "query");
  if (Object.hasOwn(body, "sql")) {
    if (hasQuery) throw fault("sql", "ambiguous", "Send `query` or `sql`, not both.");
    const { sql } = body;
    if (typeof sql !== "string") {
      throw fault("sql", "type-mismatch", '`sql` is a text: {"sql": "SELECT …"}.');
    }
    return readSql(sql);
  }
  if (!hasQuery) {
    const detail =
      'The body should be {"query": {...}} or {"sql": "SELECT …"}; it has no `query` and no `sql`.';
    throw fault("query", "missing", detail);
  }
  return { query: body.query, explain: (error) => error };
}

function fault(path: string, code: string, detail: string): HadalError {
  return new HadalError("bad-request", { detail }, [{ path, code, detail }]);
}
