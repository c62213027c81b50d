/** Whole numbers, some beyond 2^53, where doubles are inexact. */
export interface WholeSpread {
  readonly min: bigint;
  readonly max: bigint;
  readonly low: bigint;
  readonly high: bigint;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Even bounds of about the wanted number of bins, within 64 bits. `isBytes`: steps are powers of two. */
export function wholeEdges(
  spread: WholeSpread,
  wanted: number,
  { isBytes }: { readonly isBytes: boolean },
): bigint[] {
  const [low, high] = ends(spread);
  const count = BigInt(wanted);
  const least = (high - low + count - 1n) / count;
  const step = isBytes ? powerOfTwo(least) : niceStep(least);
  const edges: bigint[] = [];
  // The last bound is above the highest number, even if that number is a bound.
  for (let edge = floorTo(low, step); edges.length <= 2 * wanted; edge += step) {
    if (edge >= int64Min && edge <= int64Max) edges.push(edge);
    if (edge > high) break;
  }
  return edges;
}

/** Excludes far outliers, which would squeeze all others into one bin; starts at zero where possible. */
function ends({ min, max, low, high }: WholeSpread): readonly [bigint, bigint] {
  const bulk = high - low;
  const from = low - min > bulk / 2n ? low : min;
  const to = max - high > bulk / 2n ? high : max;
  return [from > 0n && from < to / 4n ? 0n : from, to];
}

/** A longer step may have only one multiple within 64 bits, and bins need two bounds. */
const niceStepMax = 5n * 10n ** 18n;

/** 1, 2 or 5 × 10^n, not below. */
function niceStep(least: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    for (const digit of [1n, 2n, 5n]) {
      const step = digit * power;
      if (step >= least || step === niceStepMax) return step;
    }
  }
}

function powerOfTwo(least: bigint): bigint {
  let step = 1n;
  while (step < least) step *= 2n;
  return step;
}

/** The largest multiple of the step at or below the number. */
function floorTo(number: bigint, step: bigint): bigint {
  const rest = ((number % step) + step) % step;
  return number - rest;
}
