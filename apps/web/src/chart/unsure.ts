import type { Result } from "@hadal/sdk";
import { holdsZero, intervalAt } from "./interval.js";
import { asAmount, asNumber, indexOfColumn } from "./series.js";

/** Whether the difference in a row may be none: by its own error bar, else by those of its two sides. */
export function isUnsure(result: Result, measure: string, row: number): boolean {
  const own = intervalAt(result, `${measure}.delta`, row);
  return own === null ? isWithinSides(result, measure, row) : holdsZero(own);
}

/** Percentiles have an error bar on each side and none of the difference: each side errs by itself, so squares add up. */
function isWithinSides(result: Result, measure: string, row: number): boolean {
  const now = sideOf(result, measure, row);
  const was = sideOf(result, `${measure}.compare`, row);
  if (now === null || was === null) return false;
  if (now.low === now.high && was.low === was.high) return false;
  const [more, less] = now.value > was.value ? [now, was] : [was, now];
  return more.value - less.value <= Math.hypot(more.value - more.low, less.high - less.value);
}

function sideOf(result: Result, name: string, row: number) {
  const value = asNumber(asAmount(result.rows[row]?.[indexOfColumn(result, name)]));
  if (value === null) return null;
  const [low, high] = intervalAt(result, name, row) ?? [value, value];
  return { value, low, high };
}
