import { type AggregateSpec, alertGroupsMax, type Query, type TimeRange } from "@hadal/sdk";
import { isTimeGroup, valueGroupsOf } from "@hadal/sdk/checks";
import { type FullRule, isPerGroup, looksForGroups } from "./fullRule.js";
import { type RuleWindows, windowsOf } from "./windows.js";

/** Where only the presence of rows matters. */
const rowCount: AggregateSpec = { fn: "count", as: "rows" };

/** Longer than of a person's query: nobody waits. */
const timeoutMs = 10_000;

/** What an evaluation asks. */
export interface RuleQuestions {
  readonly windows: RuleWindows;
  readonly judged: Query;
  /** In the order of `windows.compared`. */
  readonly compared: readonly Query[];
}

/** Throws `time-range-invalid`. */
export function questionsOf(rule: FullRule, endMs: number): RuleQuestions {
  const windows = windowsOf(rule, endMs);
  return {
    windows,
    judged: queryOfWindow(rule, windows.judged),
    compared: windows.compared.map((window) => queryOfWindow(rule, window)),
  };
}

/** The result column with the value that is judged. */
export const valueColumn = (rule: FullRule): string =>
  looksForGroups(rule) ? "rows" : (rule.condition.aggregate ?? "rows");

/** One row for each group that is judged; the order and number of rows that a chart shows is left out. */
function queryOfWindow(rule: FullRule, { fromMs, toMs }: TimeRange): Query {
  const { table, timeZone, filter, derive, aggregates, calculate, having, exact } = rule.query;
  const own = looksForGroups(rule) ? { aggregates: [rowCount] } : { aggregates, calculate, having };
  return withoutUndefined({
    ...{ table, from: fromMs, to: toMs, timeZone, filter, derive, exact },
    groupBy: isPerGroup(rule) ? valueGroupsOf(rule.query) : [],
    ...own,
    // One more, so that it shows when there are more.
    limit: alertGroupsMax + 1,
    timeoutMs: rule.query.timeoutMs ?? timeoutMs,
  });
}

/** The same in buckets of time, for many windows at once. */
export function queryOfBuckets(rule: FullRule, range: TimeRange, bucket: string): Query {
  const { groupBy = [], ...query } = queryOfWindow(rule, range);
  const own = rule.query.groupBy?.find(isTimeGroup);
  return { ...query, groupBy: [{ ...own, time: bucket }, ...groupBy], limit: bucketRowsMax };
}

/** 1,000 groups in 100 windows, or one in 100,000. */
const bucketRowsMax = 100_000;

function withoutUndefined(query: { readonly [Key in keyof Query]: Query[Key] | undefined }): Query {
  const present = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as unknown as Query;
}
