import type { WhatChanged } from "@hadal/sdk";

/**
 * Whether the best pair is listed before the best column. A pair separates the sides more clearly than either of its values:
 * it comes first if it includes the best column, else if its difference is larger.
 */
export function arePairsBest({ pairs, columns }: Pick<WhatChanged, "pairs" | "columns">): boolean {
  const [pair] = pairs;
  const [column] = columns;
  if (pair === undefined) return false;
  if (column === undefined || pair.columns.includes(column.name)) return true;
  return Math.abs(pair.difference) >= Math.abs(column.best.difference);
}
