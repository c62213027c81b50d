import type { PieSeriesOption } from "echarts/charts";
import type { TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatChange } from "../../../format/change.js";
import { formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasureExact } from "../../../format/value.js";
import { overlappingColumns } from "../../kit/answer/overlap.js";
import { type Amount, asNumber, baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { type Whole, wholeOf } from "../../kit/answer/whole.js";
import { type Sides, shareText, wholeOfShares } from "../../kit/answer/wholeParts.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import type { ViewProps } from "../../kit/props/viewProps.js";

export type PieOption = ComposeOption<PieSeriesOption | TooltipComponentOption>;

/** A slice: a group, or all that the answer left out. */
export interface Slice {
  /** null: the rest. */
  readonly total: GroupTotal | null;
  readonly label: string;
  readonly now: Amount;
  readonly was: Amount;
  /** The difference may be none. */
  readonly isUnsure: boolean;
  readonly color: string;
}

export interface PieInput {
  readonly totals: readonly GroupTotal[];
  readonly hues: readonly number[];
  readonly whole: Whole | null;
  /** Groups that the answer left out. */
  readonly restCount: number;
  /** A row may be in several groups. */
  readonly overlap: boolean;
  readonly theme: ChartTheme;
}

/** The groups, and one slice for the rest of the whole. What is below 0 has no slice. */
export function slicesOf({ totals, hues, whole, restCount, overlap, theme }: PieInput): Slice[] {
  const slices = totals.map(
    (total, i): Slice => ({
      total,
      label: total.label,
      now: total.values[0] ?? null,
      was: total.compare[0] ?? null,
      isUnsure: total.unsure[0] === true,
      color: theme.series[hues[i] ?? 0] ?? theme.accent,
    }),
  );
  // What groups that overlap leave of the whole is not what the others are.
  if (whole === null || restCount === 0 || overlap) return slices.filter(isDrawn);
  const restOf = (all: Amount, side: "now" | "was"): number =>
    slices.reduce((rest, slice) => rest - (asNumber(slice[side]) ?? 0), asNumber(all) ?? 0);
  const rest: Slice = {
    total: null,
    label: restCount === 1 ? "1 other" : `${restCount} others`,
    now: Math.max(0, restOf(whole.now, "now")),
    was: Math.max(0, restOf(whole.was, "was")),
    // What estimates leave of the whole is one too, and its error is unknown.
    isUnsure: totals.some(({ intervals }) => (intervals[0] ?? null) !== null),
    color: theme.edge,
  };
  return [...slices, rest].filter(isDrawn);
}

/** The whole for the shares of slices; null: unknown. */
export const wholeOfSlices = (
  slices: readonly Slice[],
  of: Pick<PieInput, "whole" | "overlap">,
): Sides | null => wholeOfShares(slices.map(sidesOf), of);

const sidesOf = ({ now, was }: Slice): Sides => ({ now: sizeOf(now), was: sizeOf(was) });

/** The slices, the whole that they are shares of, and what the ring leaves out. */
export function ringOfTotals(
  { input, query, extras }: Pick<ViewProps, "input" | "query" | "extras">,
  { totals, hues, theme }: Pick<PieInput, "totals" | "hues" | "theme">,
) {
  const { result, measures } = input;
  const [measure] = measures;
  const pie: PieInput = {
    ...{ totals, hues, theme },
    whole: measure === undefined ? null : wholeOf(extras.total, measure, result),
    restCount: result.truncated?.groups ?? 0,
    overlap: overlappingColumns(query).size > 0,
  };
  const slices = slicesOf(pie);
  return {
    ...{ slices, theme },
    whole: pie.whole,
    wholeOfShares: wholeOfSlices(slices, pie),
    notes: ringNotes(pie),
  };
}

/** What the ring does not show; empty: it shows all. */
export function ringNotes({ totals, restCount, overlap }: PieInput): string {
  const isBelow = (amount: Amount | undefined): boolean => (asNumber(amount ?? null) ?? 0) < 0;
  const { length: below } = totals.filter(
    ({ values, compare }) => isBelow(values[0]) || isBelow(compare[0]),
  );
  return [
    below === 0
      ? ""
      : below === 1
        ? "1 group below 0 has no slice; the table has it."
        : `${below} groups below 0 have no slice; the table has them.`,
    overlap
      ? "A row counts in each of its elements: shares are of all rows and may add up to more than 100 %."
      : "",
    overlap && restCount > 0
      ? `${restCount} more ${restCount === 1 ? "group has" : "groups have"} no slice.`
      : "",
  ]
    .filter((note) => note !== "")
    .join(" ");
}

const isDrawn = ({ now, was }: Slice): boolean => sizeOf(now) > 0 || sizeOf(was) > 0;

const sizeOf = (amount: Amount): number => Math.max(0, asNumber(amount) ?? 0);

export interface PieDrawing {
  readonly slices: readonly Slice[];
  /** The whole for shares; null: unknown. */
  readonly whole: Sides | null;
  readonly compared: boolean;
  readonly theme: ChartTheme;
  readonly width: number;
  readonly height: number;
}

/** Narrower charts have no room for names beside the ring; the table has them. */
const labelWidthMinPx = 460;

/** A ring; with a comparison a paler one of side B within it. */
export function buildPieOption(drawing: PieDrawing): PieOption {
  const { compared, theme, width } = drawing;
  const hasLabels = width >= labelWidthMinPx;
  const outer = hasLabels ? "78%" : "92%";
  const rings = compared
    ? [ringOf(drawing, "now", ["58%", outer]), ringOf(drawing, "was", ["44%", "55%"])]
    : [ringOf(drawing, "now", ["50%", outer])];
  return {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.quiet },
    series: rings.map((ring, i) => ({
      ...ring,
      label: { ...ring.label, show: i === 0 && hasLabels },
      labelLine: { show: i === 0 && hasLabels, length: 8, length2: 6 },
    })),
  };
}

function ringOf(
  { slices, whole, theme }: PieDrawing,
  side: "now" | "was",
  radius: [string, string],
): PieSeriesOption {
  return {
    id: side,
    type: "pie",
    radius,
    // No space between rounded slices: hairs of the ground part them.
    itemStyle: { borderColor: theme.ground, borderWidth: 1 },
    // Slices of less than a hundredth have their names in the table alone.
    minShowLabelAngle: 4,
    labelLayout: { hideOverlap: true },
    cursor: "pointer",
    emphasis: { scale: false, itemStyle: { borderColor: theme.ink, borderWidth: 1 } },
    data: slices.map((slice, i) => ({
      name: String(i),
      value: sizeOf(slice[side]),
      itemStyle: { color: slice.color, opacity: side === "now" ? 1 : 0.5 },
    })),
    label: {
      color: theme.ink,
      fontSize: 12,
      formatter: ({ dataIndex }) => {
        const slice = slices[dataIndex];
        const share = shareText(sizeOf(slice?.[side] ?? null), whole?.[side]);
        return `${shortenName(slice?.label ?? "", 22)}  ${share}`.trimEnd();
      },
    },
  };
}

/** The exact number of a slice, its share, and with a comparison both of side B. */
export function sliceTooltip(
  slice: Slice,
  measure: ChartMeasure,
  { whole, compared }: Pick<PieDrawing, "whole" | "compared">,
): TooltipContent {
  const row = (side: "now" | "was") => ({
    color: slice.color,
    name: side === "now" ? measure.label : baseNameOf(measure),
    cells: [
      formatMeasureExact(slice[side], measure.measure),
      shareText(sizeOf(slice[side]), whole?.[side]),
    ],
  });
  const { total } = slice;
  const bar = formatErrorBar(slice.now, total?.intervals[0] ?? null, measure.measure);
  const change = slice.isUnsure
    ? "the difference is within the error bars"
    : formatChange(changeOf(slice.now, slice.was));
  const notes = [bar, compared ? change : ""].filter((note) => note !== "");
  return {
    title: shortenName(slice.label, 90),
    heads: ["", "share"],
    rows: compared ? [row("now"), row("was")] : [row("now")],
    note: notes.length === 0 ? null : notes.join(" · "),
  };
}
