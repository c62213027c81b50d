import { type PointerEvent, type RefObject, useRef, useState } from "react";
import type { ChartIntent, OnIntent } from "../../answer/intent.js";
import type { TimePlot } from "../plot/plot.js";
import { isInPanel, timeAt } from "../plot/scale.js";
import { bucketsAround, nearestIndex, panelAt, seriesAt } from "./interact.js";
import { markOfBucket, markOfTimes } from "./marks.js";

/** A shorter drag counts as a click. */
const dragPxMin = 5;

export interface Brush {
  readonly fromPx: number;
  readonly toPx: number;
  /** The drag opens the menu of its times instead of zooming. */
  readonly asks: boolean;
}

/** The place under the pointer. */
export interface Pointed {
  readonly timeMs: number;
  readonly panel: number;
  /** From the chart's upper edge. */
  readonly chartY: number;
  /** Position in the window. */
  readonly x: number;
  readonly y: number;
}

export interface TimePointer {
  readonly brush: Brush | null;
  readonly pointed: Pointed | null;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerUp: (event: PointerEvent<HTMLElement>) => void;
  readonly onPointerCancel: () => void;
  readonly onPointerLeave: () => void;
}

/** A drag zooms; with Shift or by touch it opens the menu of its times. A click opens the menu of the nearest line's bucket. */
export function useTimePointer(
  hostRef: RefObject<HTMLElement | null>,
  plot: TimePlot | null,
  onIntent: OnIntent,
): TimePointer {
  const startPx = useRef<number | null>(null);
  const [brush, setBrush] = useState<Brush | null>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const pixel = (event: PointerEvent<HTMLElement>): Pixel => {
    const box = hostRef.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const cancel = (): void => {
    startPx.current = null;
    setBrush(null);
  };
  return {
    brush,
    pointed,
    onPointerCancel: cancel,
    onPointerLeave: () => setPointed(null),
    onPointerDown(event) {
      if (event.button !== 0) return;
      startPx.current = pixel(event).x;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event) {
      const from = startPx.current;
      setPointed(from === null && plot !== null ? pointedAt(plot, pixel(event), event) : null);
      if (from !== null) setBrush(brushBetween(from, pixel(event).x, event));
    },
    onPointerUp(event) {
      const from = startPx.current;
      cancel();
      if (from === null || plot === null) return;
      const { x, y } = pixel(event);
      const intent = isDrag(from, x)
        ? dragIntent(plot, [from, x], event)
        : clickIntent(plot, { x, y }, event);
      if (intent !== null) onIntent(intent);
    },
  };
}

/** A position from the chart's upper left corner. */
interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** What a pointer event contributes besides its position in the chart. */
type PointerAt = Pick<PointerEvent, "clientX" | "clientY" | "shiftKey" | "pointerType">;

const isDrag = (from: number, to: number): boolean => Math.abs(to - from) >= dragPxMin;

function pointedAt(plot: TimePlot, { x, y }: Pixel, event: PointerAt): Pointed | null {
  if (!isInPanel(plot, x, y)) return null;
  const [timeMs, panel] = [timeAt(plot, x), panelAt(plot.drawing, y)];
  return { timeMs, panel, chartY: y, x: event.clientX, y: event.clientY };
}

function brushBetween(from: number, to: number, event: PointerAt): Brush | null {
  if (!isDrag(from, to)) return null;
  return { fromPx: Math.min(from, to), toPx: Math.max(from, to), asks: opensMenu(event) };
}

/** null: the drag covers no bucket. */
function dragIntent(
  plot: TimePlot,
  [from, to]: readonly [number, number],
  event: PointerAt,
): ChartIntent | null {
  const range = bucketsAround(plot.drawing, timeAt(plot, from), timeAt(plot, to));
  if (range.fromMs >= range.toMs) return null;
  return opensMenu(event)
    ? { kind: "pick", mark: markOfTimes(range, plot.drawing, placeOf(event)) }
    : { kind: "zoom", ...range };
}

/** null: the click is outside of the panels. */
function clickIntent(plot: TimePlot, { x, y }: Pixel, event: PointerAt): ChartIntent | null {
  if (!isInPanel(plot, x, y)) return null;
  const { drawing } = plot;
  const touched = seriesAt(plot, x, y);
  const at = touched?.at ?? nearestIndex(drawing.set.timesMs, timeAt(plot, x));
  return { kind: "pick", mark: markOfBucket(drawing, at, touched, placeOf(event)) };
}

/** Touch has no Shift key: a drag by touch always opens the menu. */
const opensMenu = ({ shiftKey, pointerType }: PointerAt): boolean =>
  shiftKey || pointerType === "touch";

const placeOf = ({ clientX: x, clientY: y }: PointerAt) => ({ x, y });
