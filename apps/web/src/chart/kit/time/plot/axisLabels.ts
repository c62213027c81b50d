import { formatTick } from "../../../../format/time.js";
import { formatMeasure } from "../../../../format/value.js";
import type { TimePanel, TimePlot } from "./plot.js";
import { placeOf } from "./valueScale.js";

/** Labels nearer to each other than this cannot be read. */
const labelPxMin = 13;

/** Of the lines across; those too near to one that has a label have none. */
export function valueLabels(panel: TimePanel): string[] {
  let labelledPx = Number.NEGATIVE_INFINITY;
  return panel.ticks.map((value) => {
    const px = placeOf(panel, value) * panel.height;
    if (px - labelledPx < labelPxMin) return "";
    labelledPx = px;
    // The panel's name says per what.
    return formatMeasure(value, { unit: panel.measure.measure.unit });
  });
}

export const timeLabels = ({ ticks, drawing }: TimePlot): string[] =>
  ticks.timesMs.map((timeMs) => formatTick(timeMs, drawing.input.timeZone, ticks.stepMs));
