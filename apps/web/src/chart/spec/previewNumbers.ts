import type { Result } from "@hadal/sdk";
import { timeColumn } from "@hadal/sdk";

/** What small previews are drawn from: the first number of an answer, of its first group over time and of its groups. */
export interface PreviewNumbers {
  /** In order of time; empty where the answer is not over time. */
  readonly line: readonly number[];
  /** Largest first. */
  readonly groups: readonly number[];
}

/** A preview has room for no more. */
const groupsMax = 6;
const rowsMax = 5_000;

export function previewNumbers(result: Result): PreviewNumbers {
  const valueAt = result.columns.findIndex(({ role }) => role === "aggregate");
  const timeAt = result.columns.findIndex(
    ({ role, name }) => role === "group" && name === timeColumn,
  );
  if (valueAt < 0) return { line: [], groups: [] };
  const keysAt = result.columns.flatMap(({ role }, at) =>
    role === "group" && at !== timeAt ? [at] : [],
  );
  const linesOf = new Map<string, (readonly [timeMs: number, value: number])[]>();
  for (const row of result.rows.slice(0, rowsMax)) {
    const value = Number(row[valueAt] ?? Number.NaN);
    if (!Number.isFinite(value)) continue;
    const key = JSON.stringify(keysAt.map((at) => String(row[at])));
    const line = linesOf.get(key) ?? [];
    linesOf.set(key, line);
    line.push([timeAt < 0 ? 0 : Number(row[timeAt]), value]);
  }
  const [first = []] = linesOf.values();
  const sums = [...linesOf.values()].map((line) => line.reduce((sum, [, value]) => sum + value, 0));
  return {
    line: timeAt < 0 ? [] : first.sort(([a], [b]) => a - b).map(([, value]) => value),
    groups: sums.sort((a, b) => b - a).slice(0, groupsMax),
  };
}
