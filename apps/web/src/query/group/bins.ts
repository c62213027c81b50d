import { type WholeSpread, wholeEdges } from "./wholeBins.js";

/** What is known of a column's numbers before they are counted: the ends, and where the bulk of them lies. */
export interface Spread {
  readonly min: number | bigint;
  readonly max: number | bigint;
  /** Percentiles 0.5, 50 and 99.5. */
  readonly low: number | bigint;
  readonly middle: number | bigint;
  readonly high: number | bigint;
}

export type BinScale = "linear" | "log";

/** Preferred numbers: evenly spaced to the eye, and short. A decade in 3, 5, 10, 20 and 40 steps. */
const decades: readonly (readonly number[])[] = [
  [1, 2, 5],
  [1, 1.6, 2.5, 4, 6.3],
  [1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8],
  [
    ...[1, 1.12, 1.25, 1.4, 1.6, 1.8, 2, 2.24, 2.5, 2.8],
    ...[3.15, 3.55, 4, 4.5, 5, 5.6, 6.3, 7.1, 8, 9],
  ],
  [
    ...[1, 1.06, 1.12, 1.18, 1.25, 1.32, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.12],
    ...[2.24, 2.36, 2.5, 2.65, 2.8, 3, 3.15, 3.35, 3.55, 3.75, 4, 4.25, 4.5, 4.75],
    ...[5, 5.3, 5.6, 6, 6.3, 6.7, 7.1, 7.5, 8, 8.5, 9, 9.5],
  ],
];
/** Bytes are counted in twos: a doubling in 1, 2 and 4 steps. */
const doublings = [1, 2, 4];
/** Bounds beyond this are no 64-bit integers. */
const boundMax = 9.2e18;

/** Numbers whose tail is that long would all lie in the first bin of an even scale. */
export function suitableScale({ min, middle, high }: Spread): BinScale {
  return min >= 0 && Number(high) > 8 * Math.max(Number(middle), 1e-9) ? "log" : "linear";
}

/** Which bins are wanted, and the unit that makes bounds round. */
export interface BinsWanted {
  readonly scale: BinScale;
  readonly wanted: number;
  readonly decimals: number;
  readonly unit?: string | undefined;
}

/**
 * Ascending bounds of about so many bins: what is below the first and from the last on is beyond the chart,
 * and counted there. `decimals` is how many digits the column keeps: no bound is finer.
 */
export function binEdges(
  spread: Spread,
  { scale, wanted, decimals, unit }: BinsWanted,
): (number | bigint)[] {
  const isBytes = unit === "bytes" && decimals === 0;
  const whole = scale === "log" || decimals > 0 ? null : wholeSpread(spread);
  if (whole !== null) return wholeEdges(whole, wanted, { isBytes });
  // Doubles of few digits are exact as far as 64 bits go.
  const [min, max, low, high] = [spread.min, spread.max, spread.low, spread.high].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const edges =
    scale === "log"
      ? logEdges(min, max, { wanted, decimals, isBytes })
      : linearEdges(...ends({ min, max, low, high }), { wanted, decimals, isBytes });
  return edges.filter((edge) => Math.abs(edge) <= boundMax * 10 ** -decimals);
}

/** How many bins, the digits after the point, and whether bounds are powers of two. */
interface RoundBins {
  readonly wanted: number;
  readonly decimals: number;
  readonly isBytes: boolean;
}

type Ends = Readonly<Record<"min" | "max" | "low" | "high", number>>;

/** Null where doubles hold all of it. */
function wholeSpread({ min, max, low, high }: Spread): WholeSpread | null {
  if (typeof min === "number" && typeof max === "number") return null;
  const [least, most, first, last] = [min, max, low, high].map((bound) =>
    typeof bound === "bigint" ? bound : BigInt(Math.round(bound)),
  ) as [bigint, bigint, bigint, bigint];
  return { min: least, max: most, low: first, high: last };
}

/** A few far outliers must not squeeze all others into one bin; a scale that could start at zero does. */
function ends({ min, max, low, high }: Ends): [number, number] {
  const bulk = high - low;
  const from = low - min > bulk / 2 ? low : min;
  const to = max - high > bulk / 2 ? high : max;
  return [from > 0 && from < to / 4 ? 0 : from, to];
}

function linearEdges(
  low: number,
  high: number,
  { wanted, decimals, isBytes }: RoundBins,
): number[] {
  const least = (high - low) / wanted;
  const nice = isBytes && least > 0 ? 2 ** Math.ceil(Math.log2(least)) : niceStep(least);
  const step = Math.max(nice, 10 ** -decimals);
  const first = stepsTo(low, step);
  // The last bound lies above the highest number, also where that is a bound itself.
  const count = Math.min(wanted * 2, stepsTo(high, step) - first + 1);
  return Array.from({ length: count + 1 }, (_, i) => exact((first + i) * step));
}

/** How many whole steps lie at or below a number; 0.3 is three of 0.1. */
function stepsTo(number: number, step: number): number {
  const steps = Math.floor(number / step);
  return exact((steps + 1) * step) <= number ? steps + 1 : steps;
}

function logEdges(min: number, max: number, { wanted, decimals, isBytes }: RoundBins): number[] {
  const unit = 10 ** -decimals;
  // The smallest size there is: of either sign, or one last digit where zero is among the numbers.
  const least = min > 0 ? min : max < 0 ? -max : unit;
  const most = Math.max(Math.abs(min), Math.abs(max), unit);
  const sides = min < 0 && max > 0 ? 2 : 1;
  const sizes = isBytes
    ? doublingsBetween(least, most, wanted / sides)
    : sizesBetween(least, most, stepsFor(least, most, wanted / sides), unit);
  const negative = min < 0 ? sizes.map((size) => -size).reverse() : [];
  const zero = min <= 0 ? [0] : [];
  const positive = max > 0 ? sizes : max === 0 ? [unit] : [];
  return [...negative, ...zero, ...positive];
}

/** The finest decades of which all that are spanned make no more bins than wanted. */
function stepsFor(least: number, most: number, wanted: number): readonly number[] {
  const spanned = Math.max(1, Math.log10(most / least));
  return decades.findLast((steps) => steps.length * spanned <= wanted) ?? [1];
}

/** The same in powers of two and what lies evenly between them. */
function doublingsBetween(least: number, most: number, wanted: number): number[] {
  const spanned = Math.max(1, Math.log2(most / least));
  const steps = doublings.findLast((count) => count * spanned <= wanted) ?? 1;
  const first = Math.floor(Math.log2(least) + 1e-9);
  const count = Math.floor((Math.log2(most) - first) * steps + 1e-9) + 2;
  const sizes = Array.from({ length: count }, (_, i) => Math.round(2 ** (first + i / steps)));
  return [...new Set(sizes)];
}

/** From the bound at or below `least` to the first above `most`. */
function sizesBetween(
  least: number,
  most: number,
  steps: readonly number[],
  unit: number,
): number[] {
  const sizes: number[] = [];
  const from = Math.floor(Math.log10(least) + 1e-9);
  for (let exponent = from; exponent < from + 45; exponent++) {
    for (const step of steps) {
      const size = exact(Math.round((step * 10 ** exponent) / unit) * unit);
      if (size <= 0 || size === sizes[sizes.length - 1]) continue;
      // Only one bound at or below the smallest number is of use.
      if (size <= least) sizes.length = 0;
      sizes.push(size);
      if (size > most) return sizes;
    }
  }
  return sizes;
}

/** 1, 2 or 5 × 10^n, not below. */
function niceStep(step: number): number {
  if (!(step > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9);
  const digit = [1, 2, 5, 10].find((one) => one * power >= step * 0.999999) ?? 10;
  return exact(digit * power);
}

/** 0.1 + 0.2 as people add. */
const exact = (number: number): number => Number(number.toPrecision(15));
