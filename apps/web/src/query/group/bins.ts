import { type WholeSpread, wholeEdges } from "./wholeBins.js";

/** Range and percentiles of a column's numbers, from a first query. */
export interface Spread {
  readonly min: number | bigint;
  readonly max: number | bigint;
  /** Percentiles 0.5, 50 and 99.5. */
  readonly low: number | bigint;
  readonly middle: number | bigint;
  readonly high: number | bigint;
}

export type BinScale = "linear" | "log";

/** Short preferred numbers, about evenly spaced on a log scale: a decade in 3, 5, 10, 20 and 40 steps. */
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
/** For bytes: a doubling in 1, 2 and 4 steps. */
const doublings = [1, 2, 4];
/** Bounds beyond this are no 64-bit integers. */
const boundMax = 9.2e18;

/** With a long tail, nearly all numbers would fall in the first bin of a linear scale. */
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
 * Ascending bounds of about the wanted number of bins. Numbers below the first or from the last on are
 * counted in open bins. `decimals`: digits after the point of the column; no bound is finer.
 */
export function binEdges(
  spread: Spread,
  { scale, wanted, decimals, unit }: BinsWanted,
): (number | bigint)[] {
  const isBytes = unit === "bytes" && decimals === 0;
  const whole = scale === "log" || decimals > 0 ? null : wholeSpread(spread);
  if (whole !== null) return wholeEdges(whole, wanted, { isBytes });
  // Doubles with few digits are exact over the range of 64 bits.
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

/** Number of bins, digits after the point, and whether bounds are powers of two. */
interface RoundBins {
  readonly wanted: number;
  readonly decimals: number;
  readonly isBytes: boolean;
}

type Ends = Readonly<Record<"min" | "max" | "low" | "high", number>>;

/** null: doubles represent all of it. */
function wholeSpread({ min, max, low, high }: Spread): WholeSpread | null {
  if (typeof min === "number" && typeof max === "number") return null;
  const [least, most, first, last] = [min, max, low, high].map((bound) =>
    typeof bound === "bigint" ? bound : BigInt(Math.round(bound)),
  ) as [bigint, bigint, bigint, bigint];
  return { min: least, max: most, low: first, high: last };
}

/** Excludes far outliers, which would squeeze all others into one bin; starts at zero where possible. */
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
  // The last bound is above the highest number, even if that number is a bound.
  const count = Math.min(wanted * 2, stepsTo(high, step) - first + 1);
  return Array.from({ length: count + 1 }, (_, i) => exact((first + i) * step));
}

/** Number of whole steps at or below a number; 0.3 is three steps of 0.1. */
function stepsTo(number: number, step: number): number {
  const steps = Math.floor(number / step);
  return exact((steps + 1) * step) <= number ? steps + 1 : steps;
}

function logEdges(min: number, max: number, { wanted, decimals, isBytes }: RoundBins): number[] {
  const unit = 10 ** -decimals;
  // The smallest magnitude of either sign, or one last digit if the numbers include zero.
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

/** The finest steps per decade with at most the wanted number of bins. */
function stepsFor(least: number, most: number, wanted: number): readonly number[] {
  const spanned = Math.max(1, Math.log10(most / least));
  return decades.findLast((steps) => steps.length * spanned <= wanted) ?? [1];
}

/** The same with powers of two and even steps between them. */
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
      // Only one bound at or below the smallest number is needed.
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

/** Rounds away binary error: 0.1 + 0.2 is 0.3. */
const exact = (number: number): number => Number(number.toPrecision(15));
