import type { ResolvedSample, ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";

interface CostedQuery {
  readonly table: string;
  readonly sides: readonly Pick<ResolvedSide, "fromMs" | "toMs">[];
  readonly sample: Pick<ResolvedSample, "columns" | "limit"> | null;
}

/** A value of a raw row is read, sent, merged and printed: half a microsecond, where a scanned one takes one nanosecond. */
const rawValueCost = 500;

/**
 * What a query is expected to cost: the rows in its ranges, once for themselves and once for each number aggregated of them,
 * and the values of raw rows.
 */
export function queryCost(
  query: CostedQuery,
  numbersAggregated: number,
  expectedRows: Pick<ExpectedRows, "expected">,
): number {
  const rows = rowsInRanges(query, expectedRows);
  const { sample } = query;
  const rawRows = sample === null ? 0 : Math.min(sample.limit, rows);
  const rawValues = rawRows * (1 + (sample?.columns.length ?? 0));
  return rows * (1 + numbersAggregated) + rawValues * rawValueCost;
}

/** Rows that the ledger has in the ranges of a query. */
export function rowsInRanges(
  { table, sides }: Pick<CostedQuery, "table" | "sides">,
  expectedRows: Pick<ExpectedRows, "expected">,
): number {
  let rows = 0;
  for (const { fromMs, toMs } of sides) {
    for (const count of expectedRows.expected(table, fromMs, toMs).values()) rows += count;
  }
  return rows;
}
