import type { Completeness, Result } from "@hadal/sdk";
import { timeColumnOf } from "../../chart/kit/answer/series.js";
import { formatCompact } from "../../format/number.js";

/** From here down the answer wears amber. */
const completenessWarn = 0.995;

export const isIncomplete = ({ fraction, leaves }: Completeness): boolean =>
  fraction <= completenessWarn || leaves.missing.length > 0;

/** What was cut off, in words; null when nothing was. Over time a group's number at one step is a point. */
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

/** Rows that tell how far the numbers may be off. */
const weighedRows = 500;

/** Columns that stand beside the number that was asked for. */
const besideNumbers = /\.(raw|compare|delta|delta_pct)$/;

/**
 * How far the first estimated number of a row may be off, as a share of it: half of what is counted lies in
 * rows that are as near or nearer. Null when all are exact.
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
