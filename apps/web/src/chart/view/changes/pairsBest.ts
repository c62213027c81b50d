import type { WhatChanged } from "@hadal/sdk";

/**
 * Whether two values together are the best find: a pair goes with a side more closely than either of its values, so one with
 * the best column in it is better than that column is; else the larger difference is.
 */
export function arePairsBest({ pairs, columns }: Pick<WhatChanged, "pairs" | "columns">): boolean {
  const [pair] = pairs;
  const [column] = columns;
  if (pair === undefined) return false;
  if (column === undefined || pair.columns.includes(column.name)) return true;
  return Math.abs(pair.difference) >= Math.abs(column.best.difference);
}
