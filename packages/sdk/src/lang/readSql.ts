import { checkQuery } from "../model/check/checkQuery.js";
import { HadalError, type ProblemPart } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import { placeAt, SqlRefusal, sqlError } from "./base/sqlRefusal.js";
import { type LoweredStatement, lowerStatement } from "./lower/lowerStatement.js";
import { parseStatement } from "./parse/parseStatement.js";

/** A query that was written in SQL. */
export interface SqlQuery {
  readonly query: Query;
  /**
   * An error about this query with line and column where it had a path: what the server says of
   * columns, patterns and the like belongs to a place in the text. Errors of another kind come back
   * as they are.
   */
  explain(error: unknown): unknown;
}

/**
 * Reads one query of SQL. Throws a {@link HadalError} (`invalid-sql`, `time-range-missing`,
 * `invalid-query` …) whose `errors` have line and column.
 */
export function parseSql(text: string): Query {
  return readSql(text).query;
}

/** As {@link parseSql}, and able to say where in the text a later error belongs. */
export function readSql(text: string): SqlQuery {
  const { query, places } = readStatement(text);
  const explain = (error: unknown): unknown => explainError(error, text, places);
  try {
    return { query: checkQuery(query), explain };
  } catch (error) {
    throw explain(error);
  }
}

/** What the text says, before it is checked as every query is. */
export function readStatement(text: string): LoweredStatement {
  try {
    return lowerStatement(parseStatement(text));
  } catch (error) {
    throw error instanceof SqlRefusal ? sqlError(text, error) : error;
  }
}

function explainError(error: unknown, text: string, places: ReadonlyMap<string, number>): unknown {
  if (!(error instanceof HadalError) || error.status >= 500) return error;
  const parts = error.errors.length > 0 ? error.errors : [wholeError(error)];
  const placed = parts.map((part) => placePart(part, text, places));
  const explained = new HadalError(error.code, {}, placed);
  explained.message = error.message;
  explained.cause = error;
  return explained;
}

/**
 * A problem without parts is about the table, when it is about that, or about the query as a whole.
 */
function wholeError(error: HadalError): ProblemPart {
  const path = error.code === "unknown-table" ? "table" : "";
  return { path, code: error.code, detail: error.message };
}

function placePart(
  part: ProblemPart,
  text: string,
  places: ReadonlyMap<string, number>,
): ProblemPart {
  if (part.path === undefined) return part;
  const { path, ...rest } = part;
  return { ...rest, ...placeAt(text, placeOfPath(path, places)) };
}

/** The place of the smallest part around a path that has one. */
function placeOfPath(path: string, places: ReadonlyMap<string, number>): number {
  let at = path;
  while (at !== "") {
    const place = places.get(at);
    if (place !== undefined) return place;
    at = at.slice(0, Math.max(0, at.lastIndexOf("."), at.lastIndexOf("[")));
  }
  return 0;
}
