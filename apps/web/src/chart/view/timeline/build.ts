import type { Result } from "@hadal/sdk";
import { formatMs } from "../../../format/duration.js";
import type { GroupCell } from "../../kit/answer/intent.js";
import {
  asAmount,
  asNumber,
  groupOf,
  indexOfColumn,
  keyOfGroup,
  labelOfCell,
} from "../../kit/answer/series.js";

const msPerUnit: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1_000 };

/** More lanes than this are a table. */
const lanesMax = 60;

export interface TimelineColumns {
  readonly key: string;
  readonly lane: string;
  /** How long a row took; empty: rows are points. */
  readonly length: string;
  readonly color: string;
  /** Whether `time` is when a row ended. */
  readonly isEnd: boolean;
}

/** One row of the table on the axis. */
export interface Span {
  readonly row: number;
  readonly startMs: number;
  /** The same as the start where the length is not known. */
  readonly endMs: number;
  readonly lane: GroupCell;
  readonly color: GroupCell;
  /** Its line within the lane: rows at the same time are below each other. */
  readonly line: number;
}

export interface Lane {
  readonly key: string;
  readonly label: string;
  readonly lines: number;
  readonly spans: readonly Span[];
}

export interface Timeline {
  readonly lanes: readonly Lane[];
  /** In order of their start. */
  readonly spans: readonly Span[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly hiddenLanes: number;
}

export function buildTimeline(result: Result, columns: TimelineColumns): Timeline {
  const at = (name: string) => indexOfColumn(result, name);
  const [time, length] = [at("time"), at(columns.length)];
  const [laneAt, colorAt] = [at(columns.lane), at(columns.color)];
  const unit = result.columns[length]?.unit ?? "ms";
  const drafts = result.rows.map((cells, row): Omit<Span, "line"> => {
    const timeMs = Number(asAmount(cells[time]) ?? 0);
    const took = Math.max(0, (asNumber(asAmount(cells[length])) ?? 0) * (msPerUnit[unit] ?? 1));
    const [startMs, endMs] = columns.isEnd ? [timeMs - took, timeMs] : [timeMs, timeMs + took];
    const [lane, color] = groupOf(cells, [columns.lane, columns.color], [laneAt, colorAt]);
    return { row, startMs, endMs, lane: lane ?? noCell, color: color ?? noCell };
  });
  drafts.sort((a, b) => a.startMs - b.startMs || a.row - b.row);
  const fromMs = drafts[0]?.startMs ?? 0;
  const toMs = drafts.reduce((last, { endMs }) => Math.max(last, endMs), fromMs);
  const span = Math.max(1, toMs - fromMs);
  const lanes = lanesOf(drafts, span * 0.004);
  const shown = lanes.slice(0, lanesMax);
  return {
    lanes: shown,
    spans: shown
      .flatMap(({ spans }) => spans)
      .sort((a, b) => a.startMs - b.startMs || a.row - b.row),
    // A margin: the first and the last mark are within the axis.
    fromMs: drafts.length === 0 ? 0 : fromMs - span * 0.02,
    toMs: drafts.length === 0 ? 1 : toMs + span * 0.02,
    hiddenLanes: lanes.length - shown.length,
  };
}

const noCell: GroupCell = { column: "", value: null };

/** Lanes in the order of their first row; rows of a lane that overlap get separate lines. */
function lanesOf(drafts: readonly Omit<Span, "line">[], leastMs: number): Lane[] {
  const lanes = new Map<string, { cell: GroupCell; spans: Span[]; ends: number[] }>();
  for (const draft of drafts) {
    const key = keyOfGroup([draft.lane]);
    let lane = lanes.get(key);
    if (lane === undefined) {
      lane = { cell: draft.lane, spans: [], ends: [] };
      lanes.set(key, lane);
    }
    const free = lane.ends.findIndex((endMs) => endMs <= draft.startMs);
    const line = free >= 0 ? free : Math.min(lane.ends.length, linesMax - 1);
    // A mark has a width even where it took no time.
    lane.ends[line] = Math.max(lane.ends[line] ?? 0, draft.endMs, draft.startMs + leastMs);
    lane.spans.push({ ...draft, line });
  }
  return [...lanes].map(([key, { cell, spans, ends }]) => ({
    key,
    label: labelOfCell(cell),
    lines: ends.length,
    spans,
  }));
}

/** Rows of one lane at the same time are drawn over each other beyond this. */
const linesMax = 12;

/** Left edge and width on the axis, in percent. */
export function placeOf({ fromMs, toMs }: Timeline, span: Span): { left: number; width: number } {
  const whole = toMs - fromMs;
  return {
    left: ((span.startMs - fromMs) / whole) * 100,
    width: ((span.endMs - span.startMs) / whole) * 100,
  };
}

/**
 * A range in whole milliseconds that contains the span and its row: the end of a range is
 * exclusive.
 */
export const timesOfSpan = ({ startMs, endMs }: Pick<Span, "startMs" | "endMs">) => ({
  fromMs: Math.floor(startMs),
  toMs: Math.floor(endMs) + 1,
});

/** What the row is drawn by, each column once. */
export const groupOfSpan = ({ lane, color }: Pick<Span, "lane" | "color">): GroupCell[] =>
  [lane, ...(color.column === lane.column ? [] : [color])].filter(({ column }) => column !== "");

/** `+1.2 s`, after the first. */
export const sinceFirst = ({ spans }: Timeline, span: Span): string =>
  `+${formatMs(span.startMs - (spans[0]?.startMs ?? span.startMs))}`;
