import { type EmbedScope, type GroupBy, HadalError, type Query } from "@hadal/sdk";
import { readableOfEmbed } from "../../../access/grant/readableOfEmbed.js";
import type { Readable } from "../../../base/access/readable.js";
import type { ApiDeps } from "../../context/deps.js";

/** Rejects where readers of an embed would be refused the query that it shows first. `embeddable`: of whoever makes it. */
export async function checkEmbedQuery(
  scope: EmbedScope,
  embeddable: Readable,
  deps: Pick<ApiDeps, "checkAsked">,
): Promise<void> {
  if (scope.query === null) return;
  try {
    await deps.checkAsked(asAsked(scope.query), readableOfEmbed(scope, embeddable));
  } catch (error) {
    throw error instanceof HadalError ? withinQuery(error) : error;
  }
}

/** Views add a time bucket when they ask: without one a number of series is no fault here. */
function asAsked({ series, ...query }: Query): Query {
  const hasTime = (query.groupBy ?? []).some(isTime);
  return hasTime && series !== undefined ? { ...query, series } : query;
}

const isTime = (group: GroupBy): boolean => typeof group !== "string" && "time" in group;

/** The same problem, of the part `query` of the body. */
function withinQuery({ code, message, errors, members }: HadalError): HadalError {
  const pathOf = (path: string | undefined): string => (path ? `query.${path}` : "query");
  const placed = errors.map((part) => ({ ...part, path: pathOf(part.path) }));
  const error = new HadalError(code, {}, placed, members);
  error.message = message;
  return error;
}
