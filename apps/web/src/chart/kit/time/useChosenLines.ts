import { useMemo } from "react";
import type { LegendLines } from "../legend/Legend.js";
import { printShown, readLineOptions } from "../legend/lineOptions.js";
import type { ViewProps } from "../props/viewProps.js";
import {
  type AllLines,
  type ChosenLines,
  chosenLines,
  type SidesDrawn,
} from "./plot/drawnLines.js";

/** The lines after the view's options, and what the legend needs to choose among them. */
export function useChosenLines(
  all: AllLines,
  { options, onIntent }: Pick<ViewProps, "options" | "onIntent">,
  drawnAs: SidesDrawn,
): { readonly chosen: ChosenLines; readonly shown: LegendLines; readonly showAll: () => void } {
  const read = useMemo(() => readLineOptions(options), [options]);
  const chosen = useMemo(() => chosenLines(all, read, drawnAs), [all, read, drawnAs]);
  const shown = useMemo<LegendLines>(
    () => ({
      shown: read.shown,
      keys: all.set.series.map(({ key }) => key),
      onShow: (next) => {
        const value = next === null ? null : printShown(next);
        onIntent({ kind: "option", name: "lines", value });
      },
    }),
    [read, all, onIntent],
  );
  return { chosen, shown, showAll: () => shown.onShow(null) };
}
