import type { ShareComparison } from "./compareShares.js";

/**
 * Digits that count. Sums of squares beyond 2^53 are rounded as leaves happen to answer, so that the later digits of what
 * is made of them mean nothing; a part and the rest of its set differ by the same to the last digit but for that.
 */
const digits = 4;

/** The end of the interval that is nearer to no difference. */
export function leastDifference({ interval: [low, high] }: ShareComparison): number {
  if (low <= 0 && high >= 0) return 0;
  return Math.min(Math.abs(low), Math.abs(high));
}

/**
 * By how much shares differ at least. Alike (none is sure): what is least likely by chance first, then what A has more of,
 * and then by name, whatever leaves the rows are on.
 */
export function surestFirst<One>(
  all: readonly One[],
  testOf: (one: One) => ShareComparison,
  nameOf: (one: One) => string,
): One[] {
  const ranked = all.map((one) => {
    const test = testOf(one);
    const least = rounded(leastDifference(test));
    return { one, least, p: rounded(test.p ?? 1), isMore: test.difference > 0, name: nameOf(one) };
  });
  ranked.sort(
    (x, y) =>
      y.least - x.least ||
      x.p - y.p ||
      Number(y.isMore) - Number(x.isMore) ||
      byText(x.name, y.name),
  );
  return ranked.map(({ one }) => one);
}

export function byText(x: string, y: string): number {
  return x < y ? -1 : Number(x > y);
}

const rounded = (value: number): number => Number(value.toPrecision(digits));
