import type { Steps } from "../../base/schedule/steps.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { chooseMerge } from "./chooseMerge.js";

/**
 * The first run of segments to merge; null: there is none. No run spans a generation that is lost.
 */
export function* findMerge(
  segments: readonly SealedSegment[],
  lost: ReadonlySet<number>,
  nowMs: number,
  isFree: (segment: SealedSegment) => boolean,
): Steps<readonly SealedSegment[] | null> {
  for (const stretch of stretchesBetween(segments, lost)) {
    const run = yield* chooseMerge(stretch, nowMs, isFree);
    if (run !== null) return run;
  }
  return null;
}

/** Segments in the order of generations, split where a generation between them is lost. */
function stretchesBetween(
  segments: readonly SealedSegment[],
  lost: ReadonlySet<number>,
): readonly (readonly SealedSegment[])[] {
  if (lost.size === 0) return [segments];
  const cuts = [...lost].sort((a, b) => a - b);
  const stretches = cuts.map((): SealedSegment[] => []);
  const last: SealedSegment[] = [];
  for (const segment of segments) {
    const index = cuts.findIndex((generation) => segment.generation < generation);
    (stretches[index] ?? last).push(segment);
  }
  return [...stretches, last];
}
