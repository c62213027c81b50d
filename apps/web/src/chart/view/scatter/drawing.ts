import type { ChartTheme } from "../../kit/paint/theme.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { dotsOf, type Scatter, scatterGrid } from "./build.js";

export interface ScatterParts extends Pick<ViewProps, "input" | "extras" | "colors"> {
  readonly scatter: Scatter;
  /** The count with the strongest colour. */
  readonly ceiling: number;
  readonly theme: ChartTheme;
  /** Of the page or the picture: it decides how many labels fit. */
  readonly width: number;
}

/** The cells or dots, and the colour of each group. */
export function drawnScatter(parts: ScatterParts) {
  const { input, extras, colors, scatter, ceiling, theme, width } = parts;
  const { groups } = scatter;
  const hues = colors.huesOf(groups.map(({ key }) => key));
  const hueOf = new Map(groups.map(({ key }, g) => [key, hues[g] ?? 0]));
  const colorOf = (key: string): string => {
    const hue = hueOf.get(key);
    if (groups.length < 2) return theme.accent;
    return hue === undefined ? theme.quiet : (theme.series[hue] ?? theme.accent);
  };
  // The extra query has no rows of side B: a comparison is drawn as cells.
  const { rows } = extras;
  const dots = rows === undefined || input.compared ? [] : dotsOf(rows, scatter, colorOf);
  const look = { theme, hues, dots, ceiling, width };
  return { colorOf, grid: scatterGrid(scatter, look), dotCount: dots.length };
}
