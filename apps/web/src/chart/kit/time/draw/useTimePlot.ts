import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { coversOf } from "../../answer/coverage.js";
import { useChartTheme } from "../../paint/useChartTheme.js";
import type { ChosenLines } from "../plot/drawnLines.js";
import { buildTimePlot, type TimePlot } from "../plot/plot.js";
import { useBoxSize } from "./useTimePanels.js";

export interface PlottedLines {
  readonly chosen: ChosenLines;
  readonly stacked: boolean;
  /** Stacked numbers are shares of a whole, in percent. */
  readonly shares?: boolean;
  /** Changes with the page's colours. */
  readonly themeName: string;
  /** Axes are held for as long as this stays the same. */
  readonly questionKey: string;
}

/** Ends of the axes as drawn. */
interface HeldAxes {
  readonly key: string;
  readonly ceilings: readonly number[];
  readonly floors: readonly number[];
}

/** The plot for a box; null until its size is known. */
export function useTimePlot(
  hostRef: RefObject<HTMLElement | null>,
  props: PlottedLines,
): TimePlot | null {
  const { chosen, stacked, shares = false, themeName } = props;
  const { width, height } = useBoxSize(hostRef);
  // Held ends apply only to the same kind of numbers: amounts or shares, averages or single buckets.
  const questionKey = `${props.questionKey} ${shares} ${chosen.sides} ${keyOfOptions(chosen.options)}`;
  const held = useRef<HeldAxes>({ key: "", ceilings: [], floors: [] });
  const theme = useChartTheme(themeName);
  const plot = useMemo<TimePlot | null>(() => {
    if (width === 0) return null;
    const { options, lineCount: _, ...lines } = chosen;
    const { ceilings, floors } =
      held.current.key === questionKey ? held.current : { ceilings: [], floors: [] };
    return buildTimePlot({
      ...{ ...lines, ...options, covers: coversOf(lines.input), stacked, shares },
      ...{ theme, width, height, ceilings, floors },
    });
  }, [chosen, stacked, shares, theme, width, height, questionKey]);
  useLayoutEffect(() => {
    if (plot === null) return;
    const [ceilings, floors] = [
      plot.panels.map(({ ceiling }) => ceiling),
      plot.panels.map(({ floor }) => floor),
    ];
    held.current = { key: questionKey, ceilings, floors };
  }, [plot, questionKey]);
  return plot;
}

const keyOfOptions = ({ axes, ...options }: ChosenLines["options"]): string =>
  JSON.stringify([...axes, options]);
