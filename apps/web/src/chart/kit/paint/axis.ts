import { zoneOffsetMs } from "../../../format/time.js";

const timeStepsMs = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * 60_000),
  ...[1, 2, 3, 6, 12].map((n) => n * 3_600_000),
  ...[1, 2, 4, 7, 14, 28, 91, 182, 364].map((n) => n * 86_400_000),
];

export interface TimeTicks {
  readonly stepMs: number;
  readonly timesMs: readonly number[];
}

/** Round local times, about as many as fit. */
export function timeTicks(
  fromMs: number,
  toMs: number,
  countMax: number,
  timeZone: string,
): TimeTicks {
  const widthMs = Math.max(1, (toMs - fromMs) / Math.max(1, countMax));
  const stepMs = timeStepsMs.find((step) => step >= widthMs) ?? 3_640 * 86_400_000;
  const timesMs: number[] = [];
  let localMs = Math.ceil((fromMs + zoneOffsetMs(fromMs, timeZone)) / stepMs) * stepMs;
  for (; timesMs.length < 100; localMs += stepMs) {
    // The offset at the tick itself: clocks may change within the range.
    const timeMs = localMs - zoneOffsetMs(localMs - zoneOffsetMs(localMs, timeZone), timeZone);
    if (timeMs >= toMs) break;
    if (timeMs >= fromMs) timesMs.push(timeMs);
  }
  return { stepMs, timesMs };
}

/** Round tops, and how many steps divide each into round numbers. */
const tops = [
  ...([
    [1, 5],
    [1.2, 4],
    [1.5, 3],
    [2, 4],
    [2.5, 5],
    [3, 3],
  ] as const),
  ...([
    [4, 4],
    [5, 5],
    [6, 3],
    [8, 4],
    [10, 5],
  ] as const),
];

/** The smallest round number (… × 10^n, for bytes … × 10^n × 1024^m) at or above the value. */
export function niceCeiling(value: number, unit?: string): number {
  if (value <= 0 || !Number.isFinite(value)) return 1;
  const scale = scaleOf(value, unit);
  return (tops.find(([top]) => top * scale >= value * 0.999999)?.[0] ?? 10) * scale;
}

/** The step between the lines of an axis of whole numbers, such as counts. */
export const wholeInterval = (ceiling: number): number => Math.max(1, niceInterval(ceiling));

/** The step between the lines of an axis that ends at a round number. */
export function niceInterval(ceiling: number, unit?: string): number {
  const mantissa = ceiling / scaleOf(ceiling, unit);
  const steps = tops.find(([top]) => Math.abs(top - mantissa) < 1e-6)?.[1] ?? 5;
  return ceiling / steps;
}

function scaleOf(value: number, unit: string | undefined): number {
  const power = Math.max(0, Math.floor(Math.log(value) / Math.log(1024) + 1e-9));
  const base = unit === "bytes" ? 1024 ** power : 1;
  return base * 10 ** Math.floor(Math.log10(value / base) + 1e-9);
}

/** If the values fill less than this share of an axis, the axis is fitted again. */
const filledMin = 0.7;

/**
 * Top of an axis that must not jump: parts of a result only raise it, and a live chart keeps it
 * until the values leave much of it empty.
 */
export function holdCeiling(
  previous: number | null,
  wanted: number,
  { streaming }: { readonly streaming: boolean },
): number {
  if (previous === null || wanted > previous) return wanted;
  if (streaming) return previous;
  return wanted < filledMin * previous ? wanted : previous;
}
