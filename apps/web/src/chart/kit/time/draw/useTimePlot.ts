import { type RefObject, useLayoutEffect, useMemo, useRef } from "react";
import { coversOf } from "../../answer/coverage.js";
import { useChartTheme } from "../../paint/useChartTheme.js";
import type { ChosenLines } from "../plot/drawnLines.js";
import { buildTimePlot, type TimePlot } from "../plot/plot.js";
import { useBoxSize } from "./useTimePanels.js";

export interface PlottedLines {
  readonly chosen: ChosenLines;
  readonly stacked: boolean;
  /** What stacks is percent of a whole. */
  readonly shares?: boolean;
  /** Changes when the page's colours do. */
  readonly themeName: string;
  /** Axes are held for as long as this stays the same. */
  readonly questionKey: string;
}

/** Ends of the axes that are on the screen. */
interface HeldAxes {
  readonly key: string;
  readonly ceilings: readonly number[];
  readonly floors: readonly number[];
}

/** What is drawn in a box, by its size; null until that is known. */
export function useTimePlot(
  hostRef: RefObject<HTMLElement | null>,
  props: PlottedLines,
): TimePlot | null {
  const { chosen, stacked, shares = false, themeName } = props;
  const { width, height } = useBoxSize(hostRef);
  // Tops of amounts are none of shares, of averages none of single buckets.
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
