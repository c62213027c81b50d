import { type GroupBy, type ResultRow, timeColumn } from "@hadal/sdk";
import type { Mark } from "../answer/intent.js";
import { indexOfColumn } from "../answer/series.js";
import { stepEnd } from "../answer/timeBuckets.js";
import type { ViewProps } from "../props/viewProps.js";

/**
 * The times that a row of an answer tells of, within the range that was asked for; null: it is not split by time.
 * With `column`, those of that bucket alone: a question may split by hours and by days.
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

/** The result column of a split by time, and how long its steps are; null: it splits by something else. */
function timeSplitOf(group: GroupBy): { readonly name: string; readonly step: string } | null {
  if (typeof group === "string") return group === timeColumn ? instants(group) : null;
  if ("time" in group) return { name: group.as ?? timeColumn, step: group.time };
  return "column" in group && group.column === timeColumn ? instants(group.as) : null;
}

/** Split by the times of the rows themselves, every millisecond is a step. */
const instants = (name: string = timeColumn) => ({ name, step: "1ms" });
