import { bucketEnd } from "../../answer/timeBuckets.js";
import { isStack, margin, type TimeDrawing, timeScaleOf } from "./build.js";
import type { TimeBars } from "./lines.js";
import type { ValueScale } from "./valueScale.js";
import { placeOf } from "./valueScale.js";

/** Share of a bucket's width that its bars fill. */
const filledShare = 0.8;
/** Thinner bars look alike. */
const barPxMin = 1.5;

/** One bar, in shares of the panel's width and height, from its lower left corner. */
export interface Bar {
  readonly key: string;
  readonly color: string;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  /** Its bucket is incomplete. */
  readonly isDashed: boolean;
}

/** Whether bars side by side would be too thin to see. */
export function areBarsTooThin(drawing: TimeDrawing, m: number): boolean {
  const { set, width } = drawing;
  const beside = isStack(drawing, m) ? 1 : Math.max(1, set.series.length);
  const room = (width - margin.left - margin.right) / Math.max(1, set.timesMs.length);
  return (room * filledShare) / beside < barPxMin;
}

/** Bars of all buckets: stacked where the numbers add up, else side by side. */
export function barsIn(
  drawing: TimeDrawing,
  m: number,
  scale: ValueScale,
  series: readonly TimeBars[],
): Bar[] {
  const { fromMs, toMs } = timeScaleOf(drawing);
  const { input, set } = drawing;
  const beside = isStack(drawing, m) ? 1 : Math.max(1, series.length);
  const share = (timeMs: number): number => (timeMs - fromMs) / Math.max(1, toMs - fromMs);
  const within = (value: number): number => Math.min(1, Math.max(0, placeOf(scale, value)));
  return series.flatMap(({ key, colors, base, points, isDashed }, s) =>
    points.flatMap((value, at): Bar[] => {
      if (value === null) return [];
      const startMs = set.timesMs[at] ?? 0;
      const [start, end] = [share(startMs), share(bucketEnd(startMs, input))];
      const width = ((end - start) * filledShare) / beside;
      const left = start + ((end - start) * (1 - filledShare)) / 2;
      const [one, other] = [within(base[at] ?? 0), within(value)];
      const [y, height] = [Math.min(one, other), Math.abs(other - one)];
      if (height === 0) return [];
      const x = left + width * (beside === 1 ? 0 : s);
      return [
        { key, color: colors[at] ?? "", x, width, y, height, isDashed: isDashed[at] === true },
      ];
    }),
  );
}
