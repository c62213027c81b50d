import type { ResolvedGroup, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PartialSide } from "../partial/partialResult.js";
import { mergeSides } from "./mergePartials.js";

/** Whether a group is a time bucket, the first or a further one: a series runs through all of them. */
function isTimeGroup(group: ResolvedGroup): boolean {
  return group.kind === "time" || (group.kind === "bucket" && group.further !== undefined);
}

/** Whether the points of a series lie apart by several time buckets. */
export function hasFurtherTimes({ groupBy }: Pick<ResolvedQuery, "groupBy">): boolean {
  return groupBy.filter(isTimeGroup).length > 1;
}

/** The query as if it had no time buckets: its groups are series. */
export function withoutTime(resolved: ResolvedQuery): ResolvedQuery {
  return { ...resolved, groupBy: resolved.groupBy.filter((group) => !isTimeGroup(group)) };
}

/** The keys of groups without their time buckets. */
export function seriesKeys(
  keys: PartialSide["keys"],
  { groupBy }: Pick<ResolvedQuery, "groupBy">,
): PartialSide["keys"] {
  return keys.filter((_, i) => !isTimeGroup(groupBy[i]!));
}

/** A side merged over all its time buckets: one group a series. Of its states few are read as a rule: those that it is ranked by. */
export function mergeSeries(side: PartialSide, resolved: ResolvedQuery): PartialSide {
  return mergeSides(
    [{ ...side, keys: seriesKeys(side.keys, resolved), keysDiffer: false }],
    withoutTime(resolved),
    "states when asked for",
  );
}
