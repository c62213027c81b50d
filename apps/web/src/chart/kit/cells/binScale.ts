import { formatExact } from "../../../format/number.js";
import { formatMeasure, formatMeasureExact, type Measure } from "../../../format/value.js";

/** A BigInt beyond 2^53, where numbers lose integers: the two compare exactly. */
export type Bound = number | bigint;

/** Bounds of a chart's bins and where the numbers beyond them are shown. */
export interface BinScale {
  /** Column or alias that the bins are of. */
  readonly column: string;
  readonly edges: readonly Bound[];
  /** Whether there are numbers below the first bound, or from the last on: each has an open bin. */
  readonly hasBelow: boolean;
  readonly hasAbove: boolean;
  readonly measure: Measure;
}

export interface BinTick {
  /** In bins from the first. */
  readonly at: number;
  readonly text: string;
}

export const binCount = ({ edges, hasBelow, hasAbove }: BinScale): number =>
  Math.max(0, edges.length - 1) + (hasBelow ? 1 : 0) + (hasAbove ? 1 : 0);

/** The bin of a group's key, which is its lower bound: -1 is below, edges.length - 1 above. */
export function edgeIndex(edges: readonly Bound[], key: Bound): number {
  // A fraction may differ in its last digit.
  const most = typeof key === "bigint" || Number.isInteger(key) ? key : key + Math.abs(key) * 1e-12;
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Lower and upper bound of a bin; null: open. */
export function boundsOf(scale: BinScale, bin: number): { low: Bound | null; high: Bound | null } {
  const at = bin - (scale.hasBelow ? 1 : 0);
  const { edges } = scale;
  return {
    low: at < 0 ? null : (edges[at] ?? null),
    high: at + 1 >= edges.length ? null : (edges[at + 1] ?? null),
  };
}

/** The position of a number, in bins from the first. */
export function positionOf(scale: BinScale, value: Bound): number {
  const { edges, hasBelow } = scale;
  const at = edgeIndex(edges, value);
  const first = hasBelow ? 1 : 0;
  if (at < 0) return first === 1 ? 0.5 : 0;
  const [low, high] = [edges[at] ?? 0, edges[at + 1]];
  if (high === undefined) return first + edges.length - 1 + (scale.hasAbove ? 0.5 : 0);
  return first + at + distance(low, value) / distance(low, high);
}

/** Difference of two numbers. */
function distance(from: Bound, to: Bound): number {
  if (typeof from === "number" && typeof to === "number") return to - from;
  if ([from, to].some((bound) => typeof bound === "number" && !Number.isInteger(bound))) {
    return Number(to) - Number(from);
  }
  return Number(BigInt(to) - BigInt(from));
}

/** `10 ms – 20 ms`, `from 2 s`. */
export function rangeText(
  { low, high }: { readonly low: Bound | null; readonly high: Bound | null },
  measure: Measure,
): string {
  if (low === null && high === null) return "all values";
  if (low === null) return `below ${formatMeasure(high, measure)}`;
  if (high === null) return `from ${formatMeasure(low, measure)}`;
  // A bin of one whole number is that number.
  const isOne = measure.unit === undefined && distance(low, high) === 1;
  if (isOne) return typeof low === "bigint" ? formatExact(low) : formatMeasure(low, measure);
  const [from, to] = [formatMeasure(low, measure), formatMeasure(high, measure)];
  // Bounds that are equal at three digits are written in full.
  return from === to
    ? `${formatExact(low)} – ${formatMeasureExact(high, measure)}`
    : `${from} – ${to}`;
}

/** The bounds with labels: the roundest that fit. */
export function binTicks(scale: BinScale, countMax: number): BinTick[] {
  const { edges, hasBelow, measure } = scale;
  const room = Math.max(2, countMax);
  const fits = candidates(edges, measure).find(
    (indexes) => indexes.length <= room && indexes.length > 1,
  );
  const shown = fits ?? [0, edges.length - 1].filter((i) => i >= 0);
  const texts = shown.map((i) => formatMeasure(edges[i] ?? 0, measure));
  const areDifferent = new Set(texts).size === texts.length;
  return shown.map((i, k) => ({
    at: i + (hasBelow ? 1 : 0),
    text: (areDifferent ? texts[k] : undefined) ?? formatMeasureExact(edges[i] ?? 0, measure),
  }));
}

/** Choices of bounds from all to very few, each evenly spread. */
function candidates(bounds: readonly Bound[], { unit }: BinScale["measure"]): number[][] {
  const all = bounds.map((_, i) => i);
  const even = wholeStep(bounds);
  if (even !== null) {
    return [1n, 2n, 5n, 10n, 20n, 50n, 100n].map((n) =>
      all.filter((i) => BigInt(bounds[i] ?? 0) % (even * n) === 0n),
    );
  }
  const edges = bounds.map(Number);
  const step = (edges[1] ?? 0) - (edges[0] ?? 0);
  const isEven = edges.every(
    (edge, i) => i < 2 || Math.abs(edge - (edges[i - 1] ?? 0) - step) < step * 1e-6,
  );
  if (isEven) {
    return [1, 2, 5, 10, 20, 50, 100].map((n) =>
      all.filter((i) => isMultiple(edges[i] ?? 0, step * n)),
    );
  }
  if (unit === "bytes") {
    const ofPower = (every: number) =>
      all.filter((i) => {
        const power = Math.log2(Math.abs(edges[i] ?? 0) || 1);
        return Number.isInteger(power) && power % every === 0;
      });
    return [all, ...[1, 2, 5, 10, 20].map(ofPower)];
  }
  const digitsOf = (edge: number): number =>
    Math.abs(edge) / 10 ** Math.floor(Math.log10(Math.abs(edge) || 1) + 1e-9);
  const among = (digits: readonly number[], everyDecade: number) =>
    all.filter((i) => {
      const edge = edges[i] ?? 0;
      if (edge === 0) return true;
      const decade = Math.floor(Math.log10(Math.abs(edge)) + 1e-9);
      return digits.some((d) => Math.abs(digitsOf(edge) - d) < 1e-6) && decade % everyDecade === 0;
    });
  return [
    all,
    among([1, 2, 5], 1),
    among([1, 5], 1),
    among([1], 1),
    among([1], 2),
    among([1], 3),
    among([1], 6),
  ];
}

/** The distance of even bounds of which some are beyond 2^53. */
function wholeStep(bounds: readonly Bound[]): bigint | null {
  if (!bounds.some((bound) => typeof bound === "bigint")) return null;
  const whole = bounds.map((bound) => BigInt(bound));
  const steps = new Set(whole.slice(1).map((bound, i) => bound - (whole[i] ?? 0n)));
  const [step] = steps;
  return steps.size === 1 && step !== undefined ? step : null;
}

const isMultiple = (number: number, of: number): boolean =>
  Math.abs(number / of - Math.round(number / of)) < 1e-6;
