import { type PointerEvent, type RefObject, useRef, useState } from "react";
import type { OnIntent } from "../../answer/intent.js";
import type { TimePlot } from "../plot/plot.js";
import { isInPanel, timeAt } from "../plot/scale.js";
import { bucketsAround, nearestIndex, panelAt, seriesAt } from "./interact.js";
import { markOfBucket, markOfTimes } from "./marks.js";

/** A shorter drag is a click of an unsteady hand. */
const dragPxMin = 5;

export interface Brush {
  readonly fromPx: number;
  readonly toPx: number;
  /** It ends in the menu of these times, not in a zoom. */
  readonly asks: boolean;
}

/** What the pointer rests on. */
export interface Pointed {
  readonly timeMs: number;
  readonly panel: number;
  /** From the chart's upper edge. */
  readonly chartY: number;
  /** Of the pointer in the window. */
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

/** A drag zooms; with Shift or by touch it opens the menu of these times. A click opens the menu of the nearest line's bucket. */
export function useTimePointer(
  hostRef: RefObject<HTMLElement | null>,
  plot: TimePlot | null,
  onIntent: OnIntent,
): TimePointer {
  const startPx = useRef<number | null>(null);
  const [brush, setBrush] = useState<Brush | null>(null);
  const [pointed, setPointed] = useState<Pointed | null>(null);
  const pixel = (event: PointerEvent<HTMLElement>) => {
    const box = hostRef.current?.getBoundingClientRect();
    return { x: event.clientX - (box?.left ?? 0), y: event.clientY - (box?.top ?? 0) };
  };
  const cancel = (): void => {
    startPx.current = null;
    setBrush(null);
  };
  const point = (event: PointerEvent<HTMLElement>): void => {
    const { x, y } = pixel(event);
    if (plot === null || !isInPanel(plot, x, y)) setPointed(null);
    else {
      const [timeMs, panel] = [timeAt(plot, x), panelAt(plot.drawing, y)];
      setPointed({ timeMs, panel, chartY: y, x: event.clientX, y: event.clientY });
    }
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
      if (from === null) {
        point(event);
        return;
      }
      setPointed(null);
      const { x } = pixel(event);
      setBrush(
        Math.abs(x - from) < dragPxMin
          ? null
          : { fromPx: Math.min(from, x), toPx: Math.max(from, x), asks: asksFor(event) },
      );
    },
    onPointerUp(event) {
      const from = startPx.current;
      cancel();
      if (from === null || plot === null) return;
      const { drawing } = plot;
      const { x, y } = pixel(event);
      if (Math.abs(x - from) >= dragPxMin) {
        const [a, b] = [timeAt(plot, from), timeAt(plot, x)];
        const range = bucketsAround(drawing, a, b);
        if (range.fromMs >= range.toMs) return;
        if (!asksFor(event)) onIntent({ kind: "zoom", ...range });
        else onIntent({ kind: "pick", mark: markOfTimes(range, drawing, placeOf(event)) });
        return;
      }
      if (!isInPanel(plot, x, y)) return;
      const touched = seriesAt(plot, x, y);
      const at = touched?.at ?? nearestIndex(drawing.set.timesMs, timeAt(plot, x));
      onIntent({ kind: "pick", mark: markOfBucket(drawing, at, touched, placeOf(event)) });
    },
  };
}

/** A finger has no Shift: it is asked what it wants. */
const asksFor = ({ shiftKey, pointerType }: PointerEvent<HTMLElement>): boolean =>
  shiftKey || pointerType === "touch";

const placeOf = ({ clientX: x, clientY: y }: PointerEvent<HTMLElement>) => ({ x, y });
