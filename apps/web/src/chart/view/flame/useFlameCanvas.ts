import { type RefObject, useEffect, useRef, useState } from "react";
import { createSvgContext } from "../../kit/svg/svgContext.js";
import { offerSvg } from "../../kit/svg/svgSource.js";
import { drawFlame, type FlameLook, type FlamePen, type FlameRows, rowPx } from "./drawFlame.js";
import type { FlameLayout } from "./layoutFlame.js";

export interface FlameCanvas {
  readonly scrollRef: RefObject<HTMLDivElement | null>;
  readonly canvasRef: RefObject<HTMLCanvasElement | null>;
  readonly widthPx: number;
  readonly heightPx: number;
}

/** The scrolling box, its canvas, and the size of the box. */
export function useFlameCanvas(): FlameCanvas {
  const scrollRef = useRef<HTMLDivElement>(null);
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ widthPx: 0, heightPx: 0 });
  useEffect(() => {
    const box = scrollRef.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => {
      setSize({ widthPx: box.clientWidth, heightPx: box.clientHeight });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { scrollRef, canvasRef, ...size };
}

/** Draws the visible rows when the graph changes or scrolls. */
export function useFlameDrawing(
  { scrollRef, canvasRef, widthPx, heightPx }: FlameCanvas,
  layout: FlameLayout,
  look: FlameLook,
  rows: FlameRows,
): void {
  useEffect(() => {
    const [box, element] = [scrollRef.current, canvasRef.current];
    const canvas = element?.getContext("2d") ?? null;
    if (box === null || element === null || canvas === null || widthPx === 0) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.round(widthPx * ratio);
    element.height = Math.round(heightPx * ratio);
    const inSight = (on: FlamePen, pixels: number) => {
      const topPx = box.scrollTop;
      drawFlame(on, layout, look, { widthPx, heightPx, topPx, rows, ratio: pixels });
    };
    const draw = () => inSight(canvas, ratio);
    draw();
    box.addEventListener("scroll", draw, { passive: true });
    const takeBack = offerSvg(element, () => {
      const pen = createSvgContext(canvas);
      inSight(pen, 1);
      return pen.print(widthPx, heightPx);
    });
    return () => {
      box.removeEventListener("scroll", draw);
      takeBack();
    };
  }, [scrollRef, canvasRef, widthPx, heightPx, layout, look, rows]);

  // With the root at the bottom, the graph first shows its bottom.
  const { rootBelow, count } = rows;
  useEffect(() => {
    const box = scrollRef.current;
    if (box !== null && rootBelow && heightPx > 0) box.scrollTop = count * rowPx;
  }, [scrollRef, rootBelow, count, heightPx]);
}
