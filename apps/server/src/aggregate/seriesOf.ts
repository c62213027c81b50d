import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { mergeSides } from "./mergePartials.js";
import type { PartialSide } from "./partialResult.js";

/** The query as if it had no time bucket: its groups are series. */
export function withoutTime(resolved: ResolvedQuery): ResolvedQuery {
  return { ...resolved, groupBy: resolved.groupBy.filter(({ kind }) => kind !== "time") };
}

/** A side's keys without the time bucket. */
export function seriesKeys(side: PartialSide): PartialSide["keys"] {
  return side.keys.filter(({ kind }) => kind !== "bucket");
}

/** A side merged over all its time buckets: one group a series. Of its states few are read as a rule: those that it is ranked by. */
export function mergeSeries(side: PartialSide, resolved: ResolvedQuery): PartialSide {
  return mergeSides(
    [{ ...side, keys: seriesKeys(side), keysDiffer: false }],
    withoutTime(resolved),
    "states when asked for",
  );
}
