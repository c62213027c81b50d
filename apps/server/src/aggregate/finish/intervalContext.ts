import type { TimeSpan } from "../../base/row/timeSpan.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { Evidence, ShownEvidence } from "../estimate/leafEvidence.js";
import { coverage } from "../key/coverage.js";
import type { JoinedGroups } from "../key/joinSides.js";
import type { PartialResult } from "../partial/partialResult.js";
import type { FinishedValues } from "./finishedValues.js";

export type Interval = readonly [low: number, high: number];

export interface IntervalContext {
  readonly merged: PartialResult;
  readonly joined: JoinedGroups;
  readonly values: FinishedValues;
  /** Joined groups, in the order of the result. */
  readonly shown: Uint32Array;
  readonly resolved: ResolvedQuery;
  readonly evidence: Evidence;
  /** Times with rows that were thinned by a key; null: there are none. */
  readonly thinnedByKey: TimeSpan | null;
}

/** Of one column, whatever part of it. */
export interface ColumnContext extends IntervalContext {
  readonly behind: ShownEvidence;
  readonly aggregates: readonly FinishAggregate[];
  readonly aggregate: FinishAggregate;
  readonly index: number;
}

/** What a number is multiplied with to be shown; null where its group covers no time. */
export function createFactor(
  { aggregate: { value, decimals }, joined, resolved }: ColumnContext,
  sideIndex: number,
): (group: number) => number | null {
  const perMs = "perMs" in value ? value.perMs : null;
  const scale = 10 ** decimals;
  if (perMs === null) return () => 1 / scale;
  const coveredMs = coverage(resolved, sideIndex, joined);
  return (group) => {
    const covered = coveredMs(group);
    return covered === 0 ? null : perMs / covered / scale;
  };
}
