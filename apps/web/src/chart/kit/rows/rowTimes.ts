import { type GroupBy, type ResultRow, timeColumn } from "@hadal/sdk";
import type { Mark } from "../answer/intent.js";
import { indexOfColumn } from "../answer/series.js";
import { stepEnd } from "../answer/timeBuckets.js";
import type { ViewProps } from "../props/viewProps.js";

/**
 * The times of a result row, within the range of the query; null: the result is not grouped by time.
 * With `column`, the times of that bucket only: a query may group by hours and by days.
 */
export function timesOfRow(
  { input, query }: Pick<ViewProps, "input" | "query">,
  row: ResultRow,
  column?: string,
): NonNullable<Mark["range"]> | null {
  const { result, timeZone } = input;
  const splits = (query.groupBy ?? [])
    .flatMap((group) => timeSplitOf(group) ?? [])
    .filter(({ name }) => column === undefined || name === column);
  if (splits.length === 0) return null;
  let { fromMs, toMs } = input;
  for (const { name, step } of splits) {
    const startMs = Number(row[indexOfColumn(result, name)]);
    fromMs = Math.max(fromMs, startMs);
    toMs = Math.min(toMs, stepEnd(startMs, step, timeZone));
  }
  return fromMs < toMs ? { fromMs, toMs } : null;
}

/** The result column and the length of a time bucket; null: another group. */
function timeSplitOf(group: GroupBy): { readonly name: string; readonly step: string } | null {
  if (typeof group === "string") return group === timeColumn ? instants(group) : null;
  if ("time" in group) return { name: group.as ?? timeColumn, step: group.time };
  return "column" in group && group.column === timeColumn ? instants(group.as) : null;
}

/** Grouped by the column `time` itself, each millisecond is a bucket. */
const instants = (name: string = timeColumn) => ({ name, step: "1ms" });
