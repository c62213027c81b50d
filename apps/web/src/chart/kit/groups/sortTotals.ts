import type { Result } from "@hadal/sdk";
import {
  type Amount,
  asNumber,
  type ChartInput,
  type ChartMeasure,
  type SeriesSet,
} from "../answer/series.js";
import {
  changeOf,
  differenceOf,
  type GroupTotal,
  sidesOf,
  totalsOfResult,
  totalsOfSeries,
} from "../answer/totals.js";

/** The order of a table of totals. */
export interface TotalsSort {
  /** Name of a result column: `service`, `count`, `count.delta_pct`. */
  readonly by: string;
  readonly desc: boolean;
}

/** Sorts by a result column; missing values come last. */
export function sortTotals(
  totals: readonly GroupTotal[],
  measures: readonly ChartMeasure[],
  { by, desc }: TotalsSort,
): GroupTotal[] {
  const keyOf = sortKey(measures, by);
  const sign = desc ? -1 : 1;
  return [...totals].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "number" && typeof right === "number") return sign * (left - right);
    const [x, y] = [String(left), String(right)];
    return sign * (x < y ? -1 : x > y ? 1 : 0);
  });
}

/** Totals of series, sorted. `asked`: the result without buckets, for measures whose buckets do not add up. */
export function rankSeries(
  set: SeriesSet,
  input: ChartInput,
  asked: Result | undefined,
  rank: TotalsSort,
): GroupTotal[] {
  const { measures } = input;
  const whole = asked === undefined ? [] : totalsOfResult(asked, input);
  return sortTotals(totalsOfSeries(set, input, whole), measures, rank);
}

/** Without one of the sides there is no percentage. */
function percentOf({ value, base }: { readonly value: Amount; readonly base: Amount }) {
  const change = changeOf(value, base);
  return typeof change === "number" ? change : null;
}

function sortKey(
  measures: readonly ChartMeasure[],
  by: string,
): (total: GroupTotal) => string | number | null {
  for (const [m, { name }] of measures.entries()) {
    const now = (total: GroupTotal) => total.values[m] ?? null;
    const before = (total: GroupTotal) => total.compare[m] ?? null;
    if (by === name) return (total) => asNumber(now(total));
    if (by === `${name}.compare`) return (total) => asNumber(before(total));
    if (by === `${name}.delta`) {
      return (total) => {
        const { value, base } = sidesOf(total, m);
        return asNumber(differenceOf(value, base));
      };
    }
    if (by === `${name}.delta_pct`) return (total) => percentOf(sidesOf(total, m));
  }
  return (total) => {
    const value = total.group.find((cell) => cell.column === by)?.value ?? null;
    return typeof value === "bigint" ? Number(value) : value;
  };
}
