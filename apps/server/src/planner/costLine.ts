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
export function fitCostLine(amounts: Float64Array, timesMs: Float64Array): CostLine {
  const slopes = slopesOf(amounts, timesMs);
  const medianMs = medianOf(timesMs.slice());
  if (slopes.length === 0) {
    const amount = medianOf(amounts.slice());
    return amount === 0
      ? { fixedMs: medianMs, perUnitMs: 0 }
      : { fixedMs: 0, perUnitMs: medianMs / amount };
  }
  const perUnitMs = Math.max(0, medianOf(slopes));
  const rests = timesMs.map((ms, i) => ms - perUnitMs * amounts[i]!);
  return { fixedMs: Math.max(0, medianOf(rests)), perUnitMs };
}

function slopesOf(amounts: Float64Array, timesMs: Float64Array): Float64Array {
  const slopes = new Float64Array((amounts.length * (amounts.length - 1)) / 2);
  let count = 0;
  for (let i = 0; i < amounts.length; i++) {
    for (let j = 0; j < i; j++) {
      const apart = amounts[i]! - amounts[j]!;
      const least = apartMin * Math.max(amounts[i]!, amounts[j]!);
      if (apart === 0 || Math.abs(apart) < least) continue;
      slopes[count++] = (timesMs[i]! - timesMs[j]!) / apart;
    }
  }
  return slopes.subarray(0, count);
}

/** The median of at least one value; sorts them in place, several times as fast as a list. */
export function medianOf(values: Float64Array): number {
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

export const costOf = ({ fixedMs, perUnitMs }: CostLine, amount: number): number =>
  fixedMs + perUnitMs * amount;
