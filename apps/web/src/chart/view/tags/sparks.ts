import type { Query, Result } from "@hadal/sdk";
import { formatShare } from "../../../format/change.js";
import { asNumber, buildSeries, type ChartInput, type Series } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";

/** The series of the elements, by key. */
export function sparksOf(
  input: ChartInput,
  result: Result | undefined,
): ReadonlyMap<string, Series> {
  if (result === undefined) return new Map();
  // Buckets that have not ended would show a drop at the end.
  const incomplete = new Set(result.incomplete ?? []);
  const at = result.columns.findIndex(({ type }) => type === "time");
  const rows = result.rows.filter((row) => !incomplete.has(Number(row[at])));
  const { series } = buildSeries({ ...input, result: { ...result, rows }, bucketMs: null });
  return new Map(series.map((one) => [one.key, one]));
}

/** Whether a row counts in each of its elements. */
export const countsElements = ({ groupBy = [] }: Pick<Query, "groupBy">): boolean =>
  groupBy.some((group) => typeof group !== "string" && "element" in group);

export function shareText({ values }: GroupTotal, all: number): string {
  const value = asNumber(values[0] ?? null);
  return value === null || all <= 0 ? "–" : formatShare(value / all);
}
