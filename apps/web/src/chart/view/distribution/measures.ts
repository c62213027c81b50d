import { baseNameOf, type ChartMeasure, countMeasure } from "../../kit/answer/series.js";
import type { ViewProps } from "../../kit/props/viewProps.js";

/** The numbers of the legend: rows and percentiles. */
export function measuresOf({ extras, input }: Pick<ViewProps, "extras" | "input">): ChartMeasure[] {
  const percentiles = (extras.marks?.columns ?? []).flatMap(({ name, unit }): ChartMeasure[] => {
    const match = /^(p[\d.]+)_(?!.*\.(?:compare|delta|delta_pct)$)/.exec(name);
    if (match === null) return [];
    const label = match[1] ?? name;
    return [
      { name, label, measure: { unit }, zeroWhenAbsent: false, additive: false, total: null },
    ];
  });
  const baseName = baseNameOf(input.measures[0]);
  return [countMeasure, ...percentiles].map((measure) => ({ ...measure, baseName }));
}
