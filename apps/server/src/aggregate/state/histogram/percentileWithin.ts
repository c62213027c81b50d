import type { FinishValue } from "../../../plan/query/finishValue.js";
import type { PartialSide } from "../../partial/partialResult.js";
import { extremeOf } from "../extremeState.js";
import { percentileOf, rankOf, weightOf } from "./histogramState.js";

/** Which percentile, and of which states. */
type Percentile = Pick<
  Extract<FinishValue, { readonly kind: "percentile" }>,
  "stateIndex" | "minIndex" | "maxIndex" | "p"
>;

/**
 * Nearest rank: the value at which p percent of the weight is reached. The middle of its bucket, but never outside of
 * the values that there are; the first of them is the smallest, the last the largest. Null when there is none.
 */
export function percentileWithin(
  { stateIndex, minIndex, maxIndex, p }: Percentile,
  { states }: Pick<PartialSide, "states">,
  group: number,
): number | bigint | null {
  const column = states[stateIndex]!;
  const found = percentileOf(column, group, p);
  const min = extremeOf(states[minIndex]!, group);
  const max = extremeOf(states[maxIndex]!, group);
  if (found === null || min === null || max === null) return found;
  const total = weightOf(column, group);
  const rank = rankOf(p, total);
  if (rank >= total) return max;
  if (rank <= 1 || found < min) return min;
  if (found > max) return max;
  return found;
}

/** The integers that a percentile may stand for, of those that there are. */
export function intervalWithin(
  [low, high]: readonly [number, number],
  { minIndex, maxIndex }: Percentile,
  { states }: Pick<PartialSide, "states">,
  { group, decimals }: { readonly group: number; readonly decimals: number },
): readonly [number, number] {
  const min = extremeOf(states[minIndex]!, group);
  const max = extremeOf(states[maxIndex]!, group);
  return [
    min === null ? low : Math.max(low, asDouble(min, decimals)),
    max === null ? high : Math.min(high, asDouble(max, decimals)),
  ];
}

/** The nearest double, with the decimal point back in place. */
function asDouble(value: number | bigint, decimals: number): number {
  return typeof value === "number" ? value / 10 ** decimals : Number(`${value}e-${decimals}`);
}
