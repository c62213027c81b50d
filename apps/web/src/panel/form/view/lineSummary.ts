import type { AxisChoice, LineOptions } from "../../../chart/kit/legend/lineOptions.js";
import type { ValueAxis } from "../../../draft/ask/axes.js";

/** Whether the lower end is a number and below the upper end, if any. */
export const isBelow = (lower: number | null, upper: number | null): boolean =>
  lower !== null && (upper === null || lower < upper);

/** Whether the upper end is a number and above the lower end, if any. */
export const isAbove = (upper: number | null, lower: number | null): boolean =>
  upper !== null && (lower === null || upper > lower);

/** The chosen options in a few words; axes that the chart does not have are ignored. */
export function lineSummary(
  { isBars, averageOf, axes }: LineOptions,
  shown: readonly Pick<ValueAxis, "name">[],
): string {
  const chosen = shown.flatMap(({ name }) => axes.get(name) ?? []);
  const has = (test: (choice: AxisChoice) => boolean): boolean => chosen.some(test);
  const words = [
    ...(isBars ? ["bars"] : []),
    ...(averageOf > 1 ? [`average of ${averageOf}`] : []),
    ...(has(({ isLog }) => isLog) ? ["log scale"] : []),
    ...(has(({ min, max }) => min !== null || max !== null) ? ["fixed axis"] : []),
    ...(has(({ thresholds }) => thresholds.length > 0) ? ["thresholds"] : []),
  ];
  return words.length === 0 ? "scale and lines" : words.join(", ");
}
