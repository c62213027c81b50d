import type { Result } from "@hadal/sdk";
import type { ChartInput, SeriesSet } from "../../kit/answer/series.js";
import { type GroupTotal, totalsOfSeries } from "../../kit/answer/totals.js";
import { otherHue } from "../../kit/paint/color.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { otherSeries } from "./otherSeries.js";
import { shareMeasure, sharesOfWhole } from "./shareOfWhole.js";

/** The lines of a chart over time, and the entries of its legend, in one order. */
export interface Stack {
  readonly stack: SeriesSet;
  readonly hues: readonly number[];
  readonly listed: readonly GroupTotal[];
}

export interface StackParts extends Pick<ViewProps, "input" | "query" | "colors"> {
  /** All lines of the answer. */
  readonly set: SeriesSet;
  /** In the order in which they are drawn. */
  readonly order: readonly GroupTotal[];
  /** The same numbers over all rows, whose rest is the last of a stack; undefined: no stack, or not there. */
  readonly whole: Result | undefined;
}

export function stackOf({ set, order, whole, input, query, colors }: StackParts): Stack {
  const ordered = inOrder(set, order);
  const other = otherSeries(ordered, input, query, whole);
  const own = colors.huesOf(order.map((total) => total.key));
  if (other === null) return { stack: ordered, hues: own, listed: order };
  const otherTotals = totalsOfSeries({ ...set, series: [other] }, input, []);
  return {
    stack: { ...ordered, series: [...ordered.series, other] },
    hues: [...own, otherHue],
    listed: [...order, ...otherTotals],
  };
}

/** The lines as shares of the whole; without it there are none, as amounts could be mistaken for them. */
export function sharesOf(stack: SeriesSet, input: ChartInput, whole: Result | undefined) {
  return {
    input: { ...input, measures: input.measures.map(shareMeasure) },
    set: whole === undefined ? { ...stack, series: [] } : sharesOfWhole(stack, input, whole),
  };
}

function inOrder(set: SeriesSet, order: readonly GroupTotal[]): SeriesSet {
  const byKey = new Map(set.series.map((series) => [series.key, series]));
  return { timesMs: set.timesMs, series: order.flatMap(({ key }) => byKey.get(key) ?? []) };
}
