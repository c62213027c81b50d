import type { Query, Result } from "@hadal/sdk";
import type { Difference } from "../../kit/answer/difference.js";
import { overlappingColumns } from "../../kit/answer/overlap.js";
import {
  type Amount,
  asNumber,
  buildSeries,
  type ChartInput,
  type Series,
  type SeriesSet,
} from "../../kit/answer/series.js";
import { differenceOf } from "../../kit/answer/totals.js";
import { isWholeOf } from "./shareOfWhole.js";

/** Differs from keys of groups, which are JSON. */
const otherKey = "other";

const noFilter =
  "These are the groups without a line of their own: ask for more series to see them apart.";

/**
 * The groups beyond the limit as one series on top of the others, so that a stack ends at the
 * total. null: there are none, the whole has not arrived or is of other leaves, or groups overlap.
 */
export function otherSeries(
  { series, timesMs }: SeriesSet,
  input: ChartInput,
  query: Pick<Query, "groupBy" | "having">,
  all: Result | undefined,
): Series | null {
  const { truncated } = input.result;
  const count = truncated?.series ?? 0;
  const hasOthers = count > 0 || (query.having ?? []).length > 0;
  if (all === undefined || !hasOthers || overlappingColumns(query).size > 0) return null;
  if (!isWholeOf(all, input)) return null;
  const whole = buildSeries({ ...input, result: all, groupColumns: [] });
  const [line] = whole.series;
  if (line === undefined) return null;
  const indexOfTime = new Map(whole.timesMs.map((timeMs, i) => [timeMs, i]));
  const isLeftOut = (m: number): boolean => input.measures[m]?.additive === true;
  const restOf = (side: "values" | "compare"): Amount[][] =>
    input.measures.map((measure, m) =>
      timesMs.map((timeMs, at) => {
        const total = line[side]?.[m]?.[indexOfTime.get(timeMs) ?? -1] ?? null;
        if (!isLeftOut(m) || total === null) return null;
        const rest = series.reduce<Amount>(
          (left, one) => differenceOf(left, one[side]?.[m]?.[at] ?? 0),
          total,
        );
        // Rows that came after the parts were counted are not those of the others.
        return measure.total === "count" && Number(rest) < 0 ? 0 : rest;
      }),
    );
  const values = restOf("values");
  const compare = input.compared ? restOf("compare") : null;
  return {
    key: otherKey,
    group: [],
    label: labelOf({ count, isAtLeast: truncated?.atLeast === true }),
    noFilter,
    values,
    compare,
    intervals: values.map((of) => of.map(() => null)),
    differences: compare === null ? null : differencesBetween(values, compare),
  };
}

interface OtherCount {
  readonly count: number;
  readonly isAtLeast: boolean;
}

function labelOf({ count, isAtLeast }: OtherCount): string {
  if (count === 0) return "others";
  return `${isAtLeast ? "≥ " : ""}${count} ${count === 1 && !isAtLeast ? "other" : "others"}`;
}

/** The error of a rest of estimates is unknown. */
const differencesBetween = (
  values: readonly (readonly Amount[])[],
  compare: readonly (readonly Amount[])[],
): Difference[][] =>
  values.map((line, m) =>
    line.map((amount, at) => {
      const [own, base] = [asNumber(amount) ?? 0, asNumber(compare[m]?.[at] ?? null) ?? 0];
      return {
        value: own - base,
        error: "unknown" as const,
        size: Math.max(Math.abs(own), Math.abs(base)),
      };
    }),
  );
