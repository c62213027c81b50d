import type { PenContext } from "../../svg/svgContext.js";

/** A canvas context, and the panel's position on its canvas. */
export interface PlotPen {
  readonly context: PenContext;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Its units to a pixel of the page. */
  readonly ratio: number;
  readonly x: (timeMs: number) => number;
}

/** Draws within the panel only. */
export function withinPanel(pen: PlotPen, draw: (context: PenContext) => void): void {
  const { context, left, top, width, height } = pen;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  draw(context);
  context.restore();
}
