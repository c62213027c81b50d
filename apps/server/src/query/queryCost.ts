import type { ResolvedSide } from "../plan/resolvedQuery.js";
import type { ExpectedRows } from "../tree/expectedRows.js";

interface CostedQuery {
  readonly table: string;
  readonly sides: readonly Pick<ResolvedSide, "fromMs" | "toMs">[];
}

/** What a query is expected to cost: the rows in its ranges, once for themselves and once for each number gathered of them. */
export function queryCost(
  { table, sides }: CostedQuery,
  numbersGathered: number,
  expectedRows: Pick<ExpectedRows, "expected">,
): number {
  let rows = 0;
  for (const { fromMs, toMs } of sides) {
    for (const count of expectedRows.expected(table, fromMs, toMs).values()) rows += count;
  }
  return rows * (1 + numbersGathered);
}
