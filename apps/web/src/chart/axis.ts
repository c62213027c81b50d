import { zoneOffsetMs } from "../format/time.js";

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

/** Round times of the zone's own clock, about as many as fit. */
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
    // The offset at the tick itself: clocks change within the range too.
    const timeMs = localMs - zoneOffsetMs(localMs - zoneOffsetMs(localMs, timeZone), timeZone);
    if (timeMs >= toMs) break;
    if (timeMs >= fromMs) timesMs.push(timeMs);
  }
  return { stepMs, timesMs };
}

/** The smallest round number (1, 2, 2.5, 5 × 10^n, or of 1024^n for bytes) that is not below. */
export function niceCeiling(value: number, unit?: string): number {
  if (value <= 0 || !Number.isFinite(value)) return 1;
  const base =
    unit === "bytes" ? 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024))) : 1;
  const scaled = value / base;
  const power = 10 ** Math.floor(Math.log10(scaled));
  const step =
    [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((s) => s * power >= scaled * 0.999999) ?? 10;
  return step * power * base;
}

/**
 * Top of an axis that must not jump: parts of an answer only ever raise it, and a live chart keeps
 * it until the values fill less than half.
 */
export function holdCeiling(previous: number | null, wanted: number, streaming: boolean): number {
  if (previous === null || wanted > previous) return wanted;
  if (streaming) return previous;
  return wanted < previous / 2 ? wanted : previous;
}
