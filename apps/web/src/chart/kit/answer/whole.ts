import type { Result } from "@hadal/sdk";
import { isOfSameLeaves } from "./sameLeaves.js";
import { type Amount, asAmount, type ChartMeasure, indexOfColumn } from "./series.js";

/** The number over all groups, those included that an answer left out. */
export interface Whole {
  readonly now: Amount;
  readonly was: Amount;
}

/** From the answer that was asked beside; null until it has come, and where the parts are of other leaves. */
export function wholeOf(
  total: Result | undefined,
  { name }: ChartMeasure,
  parts: Pick<Result, "completeness">,
): Whole | null {
  const row = total?.rows[0];
  if (total === undefined || row === undefined) return null;
  if (!isOfSameLeaves(total.completeness, parts.completeness)) return null;
  return {
    now: asAmount(row[indexOfColumn(total, name)]),
    was: asAmount(row[indexOfColumn(total, `${name}.compare`)]),
  };
}
