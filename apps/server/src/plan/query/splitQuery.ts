import type { FinishPlan } from "./finishPlan.js";
import type { ResolvedQuery } from "./resolvedQuery.js";

export interface SplitQuery {
  /** What leaves do. */
  readonly resolved: ResolvedQuery;
  /** What the root does with what they answer. */
  readonly finish: FinishPlan;
}
