import type { PenContext } from "../svg/svgContext.js";
import type { ChartTheme } from "./theme.js";

/** Between two strokes, across. */
const strokePx = 7;
const quietShare = 0.14;

/** Diagonal strokes over a box: a part of its rows is missing. */
export function paintHatching(
  pen: PenContext,
  box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  { hairline, quiet }: Pick<ChartTheme, "hairline" | "quiet">,
  scale: number,
): void {
  const { x, y, width, height } = box;
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.lineWidth = scale;
  pen.beginPath();
  // Strokes are placed from the edge of the picture, so that those of adjacent boxes join.
  const step = strokePx * scale;
  const first = Math.floor((x - height) / step) * step;
  for (let at = first; at < x + width; at += step) {
    pen.moveTo(at, y + height);
    pen.lineTo(at + height, y);
  }
  pen.strokeStyle = hairline;
  pen.stroke();
  // A little stronger than a hairline.
  pen.strokeStyle = quiet;
  pen.globalAlpha = quietShare;
  pen.stroke();
  pen.restore();
}
