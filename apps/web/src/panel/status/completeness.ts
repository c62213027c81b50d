import type { Completeness, Result } from "@hadal/sdk";
import { timeColumnOf } from "../../chart/kit/answer/series.js";
import { formatCompact } from "../../format/number.js";

/** At this completeness and below, the status is amber. */
const completenessWarn = 0.995;

export const isIncomplete = ({ fraction, leaves }: Completeness): boolean =>
  fraction <= completenessWarn || leaves.missing.length > 0;

/** What was truncated, in words; null: nothing. Over time one number of a group is called a point. */
export function truncationWords(result: Pick<Result, "truncated" | "columns">): string | null {
  const { truncated } = result;
  if (truncated === null) return null;
  const parts = (["groups", "series", "rows"] as const).flatMap((kind) => {
    const count = truncated[kind];
    if (count === undefined || count === 0) return [];
    const isPoints = kind === "groups" && timeColumnOf(result) >= 0;
    const least = truncated.atLeast === true && kind !== "rows" ? "at least " : "";
    return [`${least}${formatCompact(count)} more ${isPoints ? "points" : kind}`];
  });
  return parts.length === 0 ? null : `${parts.join(", ")} not shown`;
}

/** The error is estimated from this many of the first rows. */
const weighedRows = 500;

/** Columns that accompany a number. */
const besideNumbers = /\.(raw|compare|delta|delta_pct)$/;

/**
 * The typical relative error of the first estimated number: half of the total is in rows with this
 * error or a smaller one. null: all are exact.
 */
export function typicalError(result: Result): number | null {
  const index = result.columns.findIndex(
    ({ name, role }) =>
      role === "aggregate" && !besideNumbers.test(name) && Object.hasOwn(result.intervals, name),
  );
  const name = result.columns[index]?.name;
  if (name === undefined) return null;
  const bars = result.intervals[name] ?? [];
  const errors = result.rows.slice(0, weighedRows).flatMap((row, i) => {
    const [value, bar] = [Number(row[index]), bars[i] ?? null];
    if (bar === null || !(Math.abs(value) > 0)) return [];
    const size = Math.abs(value);
    return [{ size, share: Math.max(bar[1] - value, value - bar[0]) / size }];
  });
  errors.sort((a, b) => a.share - b.share);
  let rest = errors.reduce((sum, { size }) => sum + size, 0) / 2;
  for (const { size, share } of errors) {
    rest -= size;
    if (rest <= 0) return share;
  }
  return null;
}
