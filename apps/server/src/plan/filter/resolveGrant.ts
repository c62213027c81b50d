import { type Filter, HadalError } from "@hadal/sdk";
import type { ResolvedFilter } from "../query/resolvedQuery.js";
import { storedName } from "../schema/storedName.js";
import type { TableSchema } from "../schema/tableSchema.js";
import { resolveFilters } from "./resolveFilter.js";

/** What no row passes. */
const noRows: ResolvedFilter = { kind: "any", filters: [] };

/**
 * The rows that the grant of a table allows, as a filter that leaves apply to every side before the query's own; null
 * where all are allowed. Conditions that do not fit the columns of now allow no row. Times are those of UTC: with the
 * zone of the query, whoever asks could move their bounds.
 */
export function resolveGrant(
  { grant, ...table }: TableSchema,
  nowMs: number,
  derivedNames: ReadonlySet<string>,
): ResolvedFilter | null {
  if (grant === undefined || grant.rows === null) return null;
  const stored: TableSchema = { ...table, columns: grant.columns };
  const filters = grant.rows.map((rows) => resolveRows(rows, stored, nowMs));
  const allowed: ResolvedFilter = { kind: "any", filters };
  return derivedNames.size === 0 ? allowed : readStored(allowed, derivedNames);
}

function resolveRows(
  conditions: readonly Filter[],
  stored: TableSchema,
  nowMs: number,
): ResolvedFilter {
  try {
    return resolveFilters(conditions, stored, { nowMs, timeZone: "UTC" }, "grant");
  } catch (error) {
    if (error instanceof HadalError) return noRows;
    throw error;
  }
}

/** A query may derive a column with the name of one that is hidden from it: the grant still reads the stored one. */
function readStored(filter: ResolvedFilter, derived: ReadonlySet<string>): ResolvedFilter {
  if (filter.kind === "otherwise") return { ...filter, filter: readStored(filter.filter, derived) };
  if (filter.kind === "all" || filter.kind === "any") {
    return { ...filter, filters: filter.filters.map((part) => readStored(part, derived)) };
  }
  return derived.has(filter.column) ? { ...filter, column: storedName(filter.column) } : filter;
}
