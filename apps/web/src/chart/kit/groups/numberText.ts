import { formatChange, formatShare } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { type Amount, asNumber, type ChartMeasure } from "../answer/series.js";
import { type Bound, changeOf, differenceOf, type GroupTotal, sidesOf } from "../answer/totals.js";
import type { MeasureColumn } from "./groupTableColumns.js";

const boundSigns: Readonly<Record<Bound, string>> = { least: "≥ ", most: "≤ " };

/** Whether a number of a part of the rows is a bound for all; null: it is of all rows. */
export const boundOf = ({ bounds }: GroupTotal, { m }: MeasureColumn): Bound | null =>
  bounds?.[m] ?? null;

/** How a number of a group is written. */
export interface NumberStyle {
  readonly measures: readonly ChartMeasure[];
  readonly form: "short" | "exact";
  readonly whole?: GroupTotal | null;
}

/** Text of a cell in the table of groups. */
export function numberText(
  total: GroupTotal,
  at: MeasureColumn,
  { measures, form, whole = null }: NumberStyle,
): string {
  const { m, part } = at;
  if (part === "share") return shareText(total, whole, m);
  const measure = measures[m]?.measure ?? {};
  const format = form === "short" ? formatMeasure : formatMeasureExact;
  const [value, base] = [total.values[m] ?? null, total.compare[m] ?? null];
  const bound = boundOf(total, at);
  const bounded = (amount: Amount): string =>
    `${bound === null || amount === null ? "" : boundSigns[bound]}${format(amount, measure)}`;
  if (part === "value" && bound === null) {
    return formatBounded(value, measure, format);
  }
  if (part === "compare" && bound === null) return formatBounded(base, measure, format);
  if (part === "value") return bounded(value);
  if (part === "compare") return bounded(base);
  // The difference of two bounds is unknown.
  if (bound !== null || (value === null && base === null)) return "–";
  const sides = sidesOf(total, m);
  if (part === "delta_pct") return formatChange(changeOf(sides.value, sides.base));
  const difference = differenceOf(sides.value, sides.base);
  const sign = difference !== null && Number(difference) > 0 ? "+" : "";
  return `${sign}${format(difference, measure)}`;
}

function shareText(total: GroupTotal, whole: GroupTotal | null, m: number): string {
  const [part, all] = [total.values[m], whole?.values[m]].map((value) => asNumber(value ?? null));
  return part == null || all == null || all === 0 ? "–" : formatShare(part / all);
}

/** The exact number, and how far it may be off. */
export function titleOf(
  total: GroupTotal,
  at: MeasureColumn,
  measures: readonly ChartMeasure[],
  { unsure, whole }: { readonly unsure: boolean; readonly whole: GroupTotal | null },
): string {
  const exact = numberText(total, at, { measures, form: "exact", whole });
  if (unsure) return `${exact}, within the error bars`;
  if (boundOf(total, at) !== null && exact !== "–") return `${exact}, of the points that came`;
  const isDifference = at.part === "delta" || at.part === "delta_pct";
  if (isDifference && total.alike !== undefined) return `${exact}, over the time that both have`;
  if (at.part !== "value") return exact;
  const [value, bar] = [total.values[at.m] ?? null, total.intervals[at.m] ?? null];
  return `${exact} ${formatErrorBar(value, bar, measures[at.m]?.measure)}`.trim();
}
