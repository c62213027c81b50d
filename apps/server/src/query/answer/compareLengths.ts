import type { ResultRow } from "@hadal/sdk";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import type { ResolvedQuery, ResolvedSide, TimeBuckets } from "../../plan/query/resolvedQuery.js";

/** Lengths of the two sides of a comparison in time, for each result row. */
export interface ComparedLengths {
  /** Whether the row's time buckets, or else the ranges, have the same length on both sides. */
  areEqual(row: ResultRow): boolean;
}

/** Null without a comparison, or if both sides have the same times. */
export function compareLengths({ sides, groupBy }: ResolvedQuery): ComparedLengths | null {
  const [main, base] = sides;
  if (main === undefined || base === undefined || hasSameTimes(main, base)) return null;
  const times = groupBy.flatMap((group, column) => {
    const bucketsOf = ({ buckets, furtherBuckets }: ResolvedSide): TimeBuckets | null => {
      if (group.kind === "time") return buckets;
      const isTime = group.kind === "bucket" && group.further !== undefined;
      return isTime ? (furtherBuckets?.[group.further] ?? null) : null;
    };
    const [own, other] = [bucketsOf(main), bucketsOf(base)];
    if (own === null || other === null) return [];
    const starts = edgesOfBuckets(own);
    const places = new Map(starts.map((start, place) => [start, place]));
    return [{ column, places, edges: [starts, edgesOfBuckets(other)] as const }];
  });
  return {
    areEqual(row) {
      const [length, baseLength] = [main, base].map((side, s) => {
        let { fromMs, toMs } = side;
        for (const { column, places, edges } of times) {
          const place = places.get(Number(row[column]))!;
          fromMs = Math.max(fromMs, edges[s]![place]!);
          toMs = Math.min(toMs, edges[s]![place + 1]!);
        }
        return Math.max(0, toMs - fromMs);
      });
      return length === baseLength;
    },
  };
}

function hasSameTimes(main: ResolvedSide, base: ResolvedSide): boolean {
  return main.fromMs === base.fromMs && main.toMs === base.toMs && main.buckets === base.buckets;
}
