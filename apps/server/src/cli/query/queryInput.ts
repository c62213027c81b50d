import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { HadalError, type Query } from "@hadal/sdk";
import { checkQuery } from "@hadal/sdk/checks";
import { readSql } from "@hadal/sdk/sql";

/** A query as it was written, in SQL or JSON. */
export interface QueryInput {
  readonly query: Query;
  /** An error in terms of the written text: SQL has lines and columns. */
  explain(error: unknown): unknown;
}

/** Settings by flags, which override those of the query. */
export type QueryOverrides = Pick<Query, "timeoutMs" | "exact" | "freshnessMs">;

/** The text of a query: given as it is, the name of a file with it, or `-` for standard input. */
export async function readSource(source: string, input: NodeJS.ReadableStream): Promise<string> {
  if (source === "-") return text(input);
  const looksLikeQuery = /^\s*[{[]/.test(source) || /\s/.test(source.trim()) || source === "";
  return looksLikeQuery && !existsSync(source) ? source : readFile(source, "utf8");
}

/** Reads a query: what begins with a brace is JSON, all else SQL. */
export function readQueryInput(source: string, overrides: QueryOverrides = {}): QueryInput {
  const asked = /^\s*[{[]/.test(source) ? readJson(source) : readSql(source);
  return { ...asked, query: checkQuery({ ...asked.query, ...overrides }) };
}

function readJson(source: string): QueryInput {
  let query: unknown;
  try {
    // A prompt ends every query with a semicolon.
    query = JSON.parse(source.replace(/;\s*$/, ""));
  } catch (error) {
    throw new HadalError("bad-request", {
      detail: `The query is not JSON: ${(error as Error).message}`,
    });
  }
  return { query: checkQuery(query), explain: (error) => error };
}
