import type { ClusterPlan, PlanAccuracy } from "@hadal/sdk";
import type { QueryCosts } from "./costSamples.js";

/** The cluster to plan: all of it given. */
export type PlannedCluster = ClusterPlan["planned"];

/** What is known of the running cluster. */
export interface PlanFacts {
  /** Machines that the costs were measured on. */
  readonly machines: number;
  /** Costs of queries of the planned shape; null: there was none yet. */
  readonly costs: QueryCosts | null;
  readonly accuracy: PlanAccuracy | null;
  /** Whoever asks may not read all tables, and so not learn what their queries took. */
  readonly isHidden: boolean;
  /** null: no table with rows may be read. */
  readonly bytesPerRow: number | null;
  /** What a leaf has for rows; null: not known. */
  readonly leafBytesMax: number | null;
}
