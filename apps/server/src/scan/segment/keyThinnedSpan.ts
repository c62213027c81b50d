import { sampledByColumn } from "@hadal/sdk";
import type { TimeSpan } from "../../base/row/timeSpan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { StoredSegment } from "../../store/segment/segmentView.js";

/**
 * The times within the query's ranges that have segments with rows thinned by a key, or sampled by one
 * before they came: from the first row of these to the last. Null: there are none, or the query estimates
 * no error.
 */
export function keyThinnedSpan(
  query: ResolvedQuery,
  segments: readonly StoredSegment[],
): TimeSpan | null {
  if (!estimatesErrors(query)) return null;
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { thinnedKeys, columns, minMs, maxMs } of segments) {
    if (thinnedKeys === undefined && !columns.has(sampledByColumn)) continue;
    for (const { fromMs, toMs } of query.sides) {
      if (maxMs < fromMs || minMs >= toMs) continue;
      firstMs = Math.min(firstMs, Math.max(minMs, fromMs));
      lastMs = Math.max(lastMs, Math.min(maxMs, toMs - 1));
    }
  }
  return firstMs > lastMs ? null : [firstMs, lastMs];
}

const estimatesErrors = ({ states, branches = [] }: ResolvedQuery): boolean =>
  [states, ...branches.map((branch) => branch.states)].some((specs) =>
    specs.some(({ kind }) => kind === "spread"),
  );
