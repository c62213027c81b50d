import type { Result, ResultNote } from "@hadal/sdk";
import { barredRowsMax } from "../aggregate/resultIntervals.js";
import type { FinishAggregate, FinishPlan } from "../plan/finishPlan.js";
import type { TreeAnswers } from "../tree/askLeaves.js";

/** What error bars cannot say of an answer that lacks rows: extremes, distinct values, which groups there are, and why a leaf failed. */
export function resultNotes(
  plan: Pick<FinishPlan, "aggregates" | "groups">,
  { completeness, failures }: Pick<TreeAnswers, "completeness" | "failures">,
  { truncated, rows, intervals }: Pick<Result, "truncated" | "rows" | "intervals">,
): readonly ResultNote[] {
  const first = rows.length > barredRowsMax && Object.keys(intervals).length > 0;
  const text = `Error bars are given for the first ${barredRowsMax} rows (barredRowsMax).`;
  return [
    ...(first ? [{ text }] : []),
    ...notesOfMissing(plan, completeness, truncated),
    ...failureNotes({ failures }),
  ];
}

/** Why leaves are missing, of those that said so. */
export function failureNotes({ failures }: Pick<TreeAnswers, "failures">): readonly ResultNote[] {
  return [...failures].map(([leafId, { message }]) => ({
    text: `${leafId} is missing, for it failed: ${message}`,
  }));
}

function notesOfMissing(
  { aggregates, groups }: Pick<FinishPlan, "aggregates" | "groups">,
  { fraction, leaves }: TreeAnswers["completeness"],
  truncated: Result["truncated"],
): readonly ResultNote[] {
  if (fraction === 1 && leaves.missing.length === 0) return [];
  const notes = aggregates.flatMap((aggregate): ResultNote[] => {
    const text = textOf(aggregate);
    return text === null ? [] : [{ column: aggregate.name, text }];
  });
  if (groups.length === 0) return notes;
  const isTop = truncated?.groups !== undefined || truncated?.series !== undefined;
  const text = isTop
    ? "Of the leaves that answered: a group that missing leaves hold most of may belong among these."
    : "Of the leaves that answered: missing leaves may hold further groups.";
  return [...notes, { text }];
}

function textOf({ value, type }: FinishAggregate): string | null {
  const of = "Of the rows that answered only:";
  if (type === "histogram") return `${of} missing leaves would add to its buckets.`;
  switch (value.kind) {
    case "extreme":
      return `${of} missing leaves may hold a smaller or a larger value.`;
    case "distinct":
      return `${of} missing leaves may hold further values.`;
    case "calculated":
    case "stddev":
      return `${of} no error bar is given.`;
    default:
      return null;
  }
}
