import { median } from "../base/number/median.js";

/** A time as a function of an amount of work: never negative, never falling. */
export interface CostLine {
  readonly fixedMs: number;
  readonly perUnitMs: number;
}

/** Amounts nearer to each other say nothing of the slope: the time between them is chance. */
const apartMin = 0.25;

/**
 * The line through measured times that half of them lie above (Theil and Sen: the median of the slopes between pairs),
 * so that a few disturbed queries do not move it. Amounts that are all alike have no slope: time is then in proportion
 * to the amount, as the paper found it for scans.
 */
export function fitCostLine(amounts: ArrayLike<number>, timesMs: ArrayLike<number>): CostLine {
  const slopes: number[] = [];
  for (let i = 0; i < amounts.length; i++) {
    for (let j = 0; j < i; j++) {
      const apart = amounts[i]! - amounts[j]!;
      if (Math.abs(apart) < apartMin * Math.max(amounts[i]!, amounts[j]!)) continue;
      if (apart !== 0) slopes.push((timesMs[i]! - timesMs[j]!) / apart);
    }
  }
  const medianMs = median(Array.from(timesMs));
  if (slopes.length === 0) {
    const amount = median(Array.from(amounts));
    return amount === 0
      ? { fixedMs: medianMs, perUnitMs: 0 }
      : { fixedMs: 0, perUnitMs: medianMs / amount };
  }
  const perUnitMs = Math.max(0, median(slopes));
  const rests = Array.from(timesMs, (ms, i) => ms - perUnitMs * amounts[i]!);
  return { fixedMs: Math.max(0, median(rests)), perUnitMs };
}

export const costOf = ({ fixedMs, perUnitMs }: CostLine, amount: number): number =>
  fixedMs + perUnitMs * amount;
