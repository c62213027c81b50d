import type { Annotation } from "@hadal/sdk";
import type { TimePlot } from "./plot.js";
import { pixelOfTime } from "./scale.js";

/** Annotations at one place of the axis. */
export interface Flag {
  /** The time of the first. */
  readonly timeMs: number;
  readonly leftPx: number;
  /** Where the longest ends; the same as `leftPx` where all are moments. */
  readonly rightPx: number;
  readonly annotations: readonly Annotation[];
}

/** Flags are this wide, so that a finger can touch each. */
export const flagPx = 24;

/** The flags within the range of a plot, from left to right: annotations closer than a flag is wide share one. */
export function flagsOf(plot: TimePlot, annotations: readonly Annotation[]): readonly Flag[] {
  const { fromMs, toMs } = plot;
  const flags: Flag[] = [];
  for (const one of [...annotations].sort((a, b) => a.timeMs - b.timeMs)) {
    const endMs = one.untilMs ?? one.timeMs;
    if (endMs < fromMs || one.timeMs >= toMs) continue;
    const leftPx = pixelOfTime(plot, Math.max(fromMs, one.timeMs));
    const rightPx = pixelOfTime(plot, Math.min(toMs, endMs));
    const last = flags.at(-1);
    if (last === undefined || leftPx - last.leftPx >= flagPx) {
      const timeMs = Math.max(fromMs, one.timeMs);
      flags.push({ timeMs, leftPx, rightPx, annotations: [one] });
      continue;
    }
    flags[flags.length - 1] = {
      ...last,
      rightPx: one.untilMs === null ? last.rightPx : Math.max(last.rightPx, rightPx),
      annotations: [...last.annotations, one],
    };
  }
  return flags;
}
