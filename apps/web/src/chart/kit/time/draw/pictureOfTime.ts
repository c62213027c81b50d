import type { Annotation } from "@hadal/sdk";
import { coversOf } from "../../answer/coverage.js";
import type { ChartTheme } from "../../paint/theme.js";
import type { Ruler } from "../../svg/svgContext.js";
import type { ChosenLines } from "../plot/drawnLines.js";
import { buildTimePlot } from "../plot/plot.js";
import { svgOfTime } from "./svgOfTime.js";

export interface TimePictureParts {
  readonly chosen: ChosenLines;
  readonly stacked: boolean;
  /** Stacked numbers are shares of a whole, in percent. */
  readonly shares?: boolean;
  readonly theme: ChartTheme;
  readonly ruler: Ruler;
  readonly annotations: readonly Annotation[];
}

/** Lines over time without a page: no axis is held, as nothing was drawn before. */
export const pictureOfTime =
  ({ chosen, stacked, shares = false, theme, ruler, annotations }: TimePictureParts) =>
  ({ width, height }: { readonly width: number; readonly height: number }): string => {
    const { options, lineCount: _, ...lines } = chosen;
    const plot = buildTimePlot({
      ...{ ...lines, ...options, covers: coversOf(lines.input), stacked, shares },
      ...{ theme, width, height, ceilings: [], floors: [] },
    });
    return svgOfTime(plot, ruler, annotations);
  };
