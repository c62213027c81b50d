/** Where a number lies between the least and the most, for colours of one hue. */
export interface AmountScale {
  readonly low: number;
  readonly high: number;
  /** By order of magnitude: a few groups have most of it. */
  readonly isLog: boolean;
  /** 0 to 1. */
  readonly shareOf: (value: number) => number;
}

/** More than this between least and most, and all but the largest would look alike. */
const linearRatioMax = 50;

/**
 * Even steps, or steps of magnitude where numbers are far apart. What adds up is measured from 0; averages and
 * percentiles, which are never near it, from the least.
 */
export function amountScale(values: readonly (number | null)[], fromZero: boolean): AmountScale {
  const present = values.filter((value) => value !== null);
  const high = present.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const least = present.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  if (present.length === 0) return { low: 0, high: 0, isLog: false, shareOf: () => 0 };
  const isLog = least > 0 && high / least > linearRatioMax;
  const low = fromZero && !isLog ? Math.min(0, least) : least;
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
