import { formatTick } from "../../../../format/time.js";
import { formatMeasure } from "../../../../format/value.js";
import type { TimePanel, TimePlot } from "./plot.js";
import { placeOf } from "./valueScale.js";

/** Closer labels would overlap. */
const labelPxMin = 13;

/** Labels of the lines across; a line too near to a labelled one has none. */
export function valueLabels(panel: TimePanel): string[] {
  let labelledPx = Number.NEGATIVE_INFINITY;
  return panel.ticks.map((value) => {
    const px = placeOf(panel, value) * panel.height;
    if (px - labelledPx < labelPxMin) return "";
    labelledPx = px;
    // The panel's name has the unit of time.
    return formatMeasure(value, { unit: panel.measure.measure.unit });
  });
}

export const timeLabels = ({ ticks, drawing }: TimePlot): string[] =>
  ticks.timesMs.map((timeMs) => formatTick(timeMs, drawing.input.timeZone, ticks.stepMs));
