import { type KeyboardEvent, type RefObject, useState } from "react";
import type { OnIntent } from "../../answer/intent.js";
import { bucketEnd } from "../../answer/timeBuckets.js";
import { cellText } from "../../pointer/tooltip.js";
import type { TimePlot } from "../plot/plot.js";
import { pixelOfTime } from "../plot/scale.js";
import { movedCursor, type TimeCursor } from "./cursor.js";
import { markOfBucket, markOfTimes } from "./marks.js";
import { timeTooltip } from "./tooltipContent.js";
import type { Brush, Pointed } from "./useTimePointer.js";

export interface TimeKeys {
  readonly pointed: Pointed | null;
  readonly brush: Brush | null;
  /** Key of the line under the cursor. */
  readonly focusedKey: string | null;
  /** The cursor's position, for screen readers. */
  readonly spoken: string;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onBlur: () => void;
}

/** Arrow keys walk buckets and lines, Shift selects times, Enter opens the menu. */
export function useTimeKeys(
  hostRef: RefObject<HTMLElement | null>,
  plot: TimePlot | null,
  onIntent: OnIntent,
): TimeKeys {
  const [cursor, setCursor] = useState<TimeCursor | null>(null);
  const known = plot === null || cursor === null ? null : within(cursor, plot);
  const box = known === null ? null : (hostRef.current?.getBoundingClientRect() ?? null);
  const shown = plot === null || known === null || box === null ? null : { plot, known, box };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (plot === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && known !== null) setCursor(null);
    else if ((event.key === "Enter" || event.key === " ") && shown !== null) {
      onIntent({ kind: "pick", mark: markOf(shown) });
    } else {
      const { series, timesMs } = plot.drawing.set;
      const extent = { buckets: timesMs.length, lines: series.length };
      const next = movedCursor(known, event, extent);
      if (next === null) return;
      setCursor(next);
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    pointed: shown === null ? null : pointedAt(shown),
    brush: shown === null ? null : brushOf(shown),
    focusedKey: known?.line == null ? null : (plot?.drawing.set.series[known.line]?.key ?? null),
    spoken: shown === null ? "" : spokenText(shown),
    onKeyDown,
    onBlur: () => setCursor(null),
  };
}

interface Shown {
  readonly plot: TimePlot;
  readonly known: TimeCursor;
  /** Position of the chart in the window. */
  readonly box: DOMRect;
}

/** Limits the cursor: another result may have fewer buckets and lines. */
function within(cursor: TimeCursor, { drawing }: TimePlot): TimeCursor | null {
  const { series, timesMs } = drawing.set;
  const last = timesMs.length - 1;
  if (last < 0) return null;
  const { at, anchor, line } = cursor;
  return {
    at: Math.min(at, last),
    anchor: anchor === null ? null : Math.min(anchor, last),
    line: line !== null && line < series.length ? line : null,
  };
}

function pointedAt({ plot, known, box }: Shown): Pointed {
  const timeMs = plot.drawing.set.timesMs[known.at] ?? 0;
  const top = plot.panels[0]?.top ?? 0;
  return {
    timeMs,
    panel: 0,
    chartY: top,
    x: box.left + pixelOfTime(plot, timeMs),
    y: box.top + top,
  };
}

/** From the start of the first bucket to the end of the last, within the range. */
function rangeOf({ plot, known }: Shown) {
  const { input, set } = plot.drawing;
  const [first, last] = [known.anchor ?? known.at, known.at].sort((a, b) => a - b);
  const fromMs = set.timesMs[first ?? 0] ?? input.fromMs;
  const lastMs = set.timesMs[last ?? 0] ?? input.fromMs;
  return {
    fromMs: Math.max(input.fromMs, fromMs),
    toMs: Math.min(input.toMs, bucketEnd(lastMs, input)),
  };
}

function brushOf(shown: Shown): Brush | null {
  if (shown.known.anchor === null) return null;
  const { fromMs, toMs } = rangeOf(shown);
  const [fromPx, toPx] = [pixelOfTime(shown.plot, fromMs), pixelOfTime(shown.plot, toMs)];
  return { fromPx, toPx, asks: true };
}

function markOf(shown: Shown) {
  const { plot, known } = shown;
  const { x, y } = pointedAt(shown);
  if (known.anchor !== null) return markOfTimes(rangeOf(shown), plot.drawing, { x, y });
  const touched = known.line === null ? null : { seriesIndex: known.line, measureIndex: 0 };
  return markOfBucket(plot.drawing, known.at, touched, { x, y });
}

function spokenText({ plot, known }: Shown): string {
  const { title, rows, note } = timeTooltip(plot.drawing, known.at, 0);
  const line = known.line === null ? null : plot.drawing.set.series[known.line];
  const shown = line == null ? rows : rows.filter(({ name }) => line.label.startsWith(name));
  const lines = shown.map(({ name, cells }) => [name, ...cells.map(cellText)].join(" "));
  return [title, ...lines, ...(note === null ? [] : [note])].join("; ");
}
