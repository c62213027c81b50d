/** Position of a number between the smallest and the largest, for colours of one hue. */
export interface AmountScale {
  readonly low: number;
  readonly high: number;
  /** Logarithmic, because a few groups have most of the total. */
  readonly isLog: boolean;
  /** 0 to 1. */
  readonly shareOf: (value: number) => number;
}

/** With a larger ratio all but the largest would look alike on a linear scale. */
const linearRatioMax = 50;

/**
 * Linear, or logarithmic where numbers are far apart. Additive numbers start at 0; averages and
 * percentiles, which are rarely near 0, start at the smallest.
 */
export function amountScale(
  values: readonly (number | null)[],
  { additive }: { readonly additive: boolean },
): AmountScale {
  const present = values.filter((value) => value !== null);
  const high = present.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const least = present.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  if (present.length === 0) return { low: 0, high: 0, isLog: false, shareOf: () => 0 };
  const isLog = least > 0 && high / least > linearRatioMax;
  const low = additive && !isLog ? Math.min(0, least) : least;
  const place = isLog ? Math.log : (value: number) => value;
  const width = place(high) - place(low);
  return {
    low,
    high,
    isLog,
    shareOf: (value) =>
      width > 0 ? Math.min(1, Math.max(0, (place(value) - place(low)) / width)) : 1,
  };
}
