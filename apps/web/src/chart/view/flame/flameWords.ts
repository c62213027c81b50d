import { formatChange, formatShare } from "../../../format/change.js";
import { formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasure, formatMeasureExact } from "../../../format/value.js";
import { isUnsure } from "../../kit/answer/difference.js";
import { baseNameOf, type ChartMeasure } from "../../kit/answer/series.js";
import { changeOf } from "../../kit/answer/totals.js";
import { changeCell, type TooltipContent, type TooltipRow } from "../../kit/pointer/tooltip.js";
import type { Flame, FlameFrame } from "./buildFlame.js";

/** What the texts about frames need. */
export interface FlameWords {
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  readonly flame: Flame;
}

const nameLengthMax = 90;
const parentLengthMax = 40;

export const nameOfFrame = (name: string): string => (name === "" ? "(empty)" : name);

/** Sums beyond 2^53 are shown as rounded. */
export function exactAmount(value: number, { measure }: ChartMeasure): string {
  return Number.isInteger(value) && !Number.isSafeInteger(value)
    ? `about ${formatMeasure(value, measure)}`
    : formatMeasureExact(value, measure);
}

/** One sentence for screen readers. */
export function describeFrame(frame: FlameFrame, { measure, compared, flame }: FlameWords): string {
  const { now, was } = frame;
  const share = formatShare(shareOf(now.total, flame.root.now.total));
  const change = compared ? `, ${formatChange(changeOf(now.total, was.total))}` : "";
  const name = shortenName(nameOfFrame(frame.name), nameLengthMax);
  const total = formatMeasure(now.total, measure.measure);
  return `${name}: ${total}, ${share} of all, itself ${formatMeasure(now.self, measure.measure)}${change}`;
}

export function flameTooltip(frame: FlameFrame, color: string, words: FlameWords): TooltipContent {
  const { measure, compared, flame } = words;
  const row = (name: string, part: "total" | "self"): TooltipRow => {
    const [now, was] = [frame.now[part], frame.was[part]];
    const share = formatShare(shareOf(now, flame.root.now.total));
    const cells = [exactAmount(now, measure), share];
    const change = formatChange(changeOf(now, was));
    const compare = [
      exactAmount(was, measure),
      changeCell(change, { isQuiet: isUnsure(frame.difference[part]) }),
    ];
    return { color, name, cells: compared ? [...cells, ...compare] : cells };
  };
  return {
    title: shortenName(nameOfFrame(frame.name), nameLengthMax),
    heads: [measure.label, "of all", ...(compared ? [baseNameOf(measure), "Δ %"] : [])],
    rows: [row("total", "total"), row("itself", "self")],
    note: noteOf(frame, words),
  };
}

function noteOf(frame: FlameFrame, { measure, compared }: FlameWords): string | null {
  const bar = formatErrorBar(frame.now.total, frame.interval, measure.measure);
  const { parent } = frame;
  const notes = [
    // By name: merged from the last frame, the frame above is the one it calls.
    parent?.parent
      ? `${formatShare(shareOf(frame.now.total, parent.now.total))} of ${shortenName(nameOfFrame(parent.name), parentLengthMax)}`
      : "",
    bar === "" ? "" : `total ${bar}`,
    compared && isUnsure(frame.difference.total) ? "the difference is within the error bars" : "",
  ].filter((note) => note !== "");
  return notes.length === 0 ? null : notes.join(" · ");
}

export const shareOf = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);

/** What the boxes leave out. */
export function flameNotes(flame: Flame, measure: ChartMeasure, stacksLeft: number): string {
  const all = flame.root.now.total + flame.stackless;
  return [
    flame.stackless > 0
      ? `${formatShare(shareOf(flame.stackless, all))} of ${measure.label} has no stack`
      : "",
    stacksLeft > 0 ? `${stacksLeft} rare stacks are together` : "",
    flame.negativeCount > 0
      ? `${flame.negativeCount} ${flame.negativeCount === 1 ? "stack below 0 is" : "stacks below 0 are"} left out`
      : "",
  ]
    .filter((note) => note !== "")
    .join(" · ");
}
