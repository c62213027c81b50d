import type { Result } from "@hadal/sdk";
import type { FinishPlan } from "../../plan/query/finishPlan.js";

const comparedParts = ["", ".compare", ".delta", ".delta_pct"];

/** The result with the columns that are to be shown, in their order: each with what comes along. */
export function shownColumns(result: Result, { show, aggregates }: FinishPlan): Result {
  if (show === null) return result;
  const isAggregate = new Set(aggregates.map(({ name }) => name));
  const indexes = show.flatMap((name) => {
    const raw = `${name}.raw`;
    const names = isAggregate.has(raw) && !show.includes(raw) ? [name, raw] : [name];
    const wanted = new Set(names.flatMap((one) => comparedParts.map((part) => one + part)));
    return result.columns.flatMap((column, i) => {
      const comesAlong = column.role === "aggregate" && wanted.has(column.name);
      return column.name === name || comesAlong ? [i] : [];
    });
  });
  const columns = indexes.map((i) => result.columns[i]!);
  const shown = new Set(columns.map(({ name }) => name));
  const notes = result.notes?.filter(({ column }) => column === undefined || shown.has(column));
  const lowerBounds = result.lowerBounds?.filter((name) => shown.has(name));
  return {
    ...result,
    columns,
    rows: result.rows.map((row) => indexes.map((i) => row[i]!)),
    intervals: Object.fromEntries(
      Object.entries(result.intervals).filter(([name]) => shown.has(name)),
    ),
    ...(notes === undefined ? {} : { notes }),
    ...(lowerBounds === undefined ? {} : { lowerBounds }),
  };
}
