import type { ChartTheme } from "../paint/theme.js";
import type { SvgContext } from "../svg/svgContext.js";

/** Room of the line, at the lower end of a chart. */
export const morePx = 18;

export interface MoreAt {
  /** The lower end. */
  readonly y: number;
  readonly theme: ChartTheme;
}

/** Says how many had no room: `3 more groups`. `name` in the singular. */
export function writeMore(pen: SvgContext, count: number, name: string, at: MoreAt): void {
  pen.font = `12px ${at.theme.font}`;
  pen.fillStyle = at.theme.quiet;
  pen.textAlign = "left";
  pen.textBaseline = "bottom";
  pen.fillText(`${count} more ${name}${count === 1 ? "" : "s"}`, 8, at.y);
}
