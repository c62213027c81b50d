import { type MouseEvent, useEffect, useRef, useState } from "react";
import type { FlameFrame } from "./buildFlame.js";
import { type FlameRows, rowPx } from "./drawFlame.js";
import { boxAt, type FlameBox, type FlameLayout } from "./layoutFlame.js";

/** A position of the pointer: within the scrolled graph, and in the window. */
interface PointedPlace {
  readonly left: number;
  readonly top: number;
  readonly x: number;
  readonly y: number;
}

/** What the pointer can do with a frame. */
export interface FrameActions {
  readonly onZoom: (frame: FlameFrame) => void;
  readonly onActive: (frame: FlameFrame) => void;
  /** Opens the menu of a frame at a position in the window. */
  readonly onPick: (frame: FlameFrame, x: number, y: number) => void;
}

/** A second click within this time makes a double click: the menu waits for it. */
const doubleClickMs = 220;

/** Hover shows a frame, a click opens its menu, a double click zooms. */
export function useFramePointer(layout: FlameLayout, rows: FlameRows, actions: FrameActions) {
  const [place, setPlace] = useState<PointedPlace | null>(null);
  const clicks = useClicks(actions);
  const leave = (): void => setPlace(null);
  return {
    place,
    // Found again at each render: a result that streams in moves frames under a resting pointer.
    pointed: place === null ? null : boxUnder(layout, rows, place),
    listeners: {
      onMouseMove: (event: MouseEvent<HTMLElement>) => setPlace(placeOf(event)),
      onMouseLeave: leave,
      onScroll: leave,
      onClick: (event: MouseEvent<HTMLElement>) => {
        const box = boxUnder(layout, rows, placeOf(event));
        if (box === null) return;
        actions.onActive(box.frame);
        clicks.click(box.frame, event.clientX, event.clientY);
      },
      onDoubleClick: (event: MouseEvent<HTMLElement>) => {
        const box = boxUnder(layout, rows, placeOf(event));
        if (box !== null) clicks.doubleClick(box.frame);
      },
    },
  };
}

function placeOf({ currentTarget, clientX: x, clientY: y }: MouseEvent<HTMLElement>): PointedPlace {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { left: x - left, top: y - top + currentTarget.scrollTop, x, y };
}

function boxUnder(
  layout: FlameLayout,
  { rootBelow, count }: FlameRows,
  { left, top }: Pick<PointedPlace, "left" | "top">,
): FlameBox | null {
  const row = Math.floor(top / rowPx);
  return boxAt(layout, rootBelow ? count - 1 - row : row, left);
}

/** Waits after a click: the menu of the first would cover the second click of a double click. */
function useClicks({ onPick, onZoom }: FrameActions) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    click(frame: FlameFrame, x: number, y: number): void {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => onPick(frame, x, y), doubleClickMs);
    },
    doubleClick(frame: FlameFrame): void {
      clearTimeout(timer.current);
      onZoom(frame);
    },
  };
}
