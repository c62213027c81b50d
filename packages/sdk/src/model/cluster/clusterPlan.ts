/**
 * `scan`: one row of numbers, without groups. `time-series`: groups over time. `groups`: groups without
 * a time bucket.
 */
export type PlanShape = "scan" | "time-series" | "groups";
export const planShapes: readonly PlanShape[] = ["scan", "time-series", "groups"];

/** The cluster to plan. What is left out is as the running cluster has it. */
export interface PlanOptions {
  readonly machines?: number;
  /** Leaves of each machine. */
  readonly leaves?: number;
  /** Children that an aggregator asks, at most. */
  readonly fanOut?: number;
  /** Rows of each leaf in the query's range. */
  readonly rows?: number;
  readonly shape?: PlanShape;
  /** Groups in the answer; without groups: 1. */
  readonly groups?: number;
  /** The table whose rows are planned for; left out: the largest. */
  readonly table?: string;
  /** How many machines hold each row. */
  readonly copies?: number;
}

/** A number of a plan. */
export type PlanNumber = "machines" | "leaves" | "fanOut" | "rows" | "groups" | "copies";

export const planBounds: Readonly<
  Record<PlanNumber, { readonly min: number; readonly max: number }>
> = {
  /** Sixty times the machines of the paper's largest figure; their list travels with each query. */
  machines: { min: 1, max: 10_000 },
  /** One to a core, on the largest machines. */
  leaves: { min: 1, max: 256 },
  /** An aggregator with one child makes no tree; the paper found 5 best. */
  fanOut: { min: 2, max: 100 },
  /** One byte each in the 4 GiB of a leaf. */
  rows: { min: 0, max: 2 ** 32 },
  /** Groups that a leaf has room for. */
  groups: { min: 1, max: 4_000_000 },
  copies: { min: 1, max: 2 },
};

/** What is wrong with a number of a plan, as the end of a sentence; null: nothing. */
export function planFault(name: PlanNumber, value: number): string | null {
  const { min, max } = planBounds[name];
  if (Number.isInteger(value) && value >= min && value <= max) return null;
  return `must be a whole number from ${min} to ${max}`;
}

/** One level of the tree. */
export interface PlanLevel {
  /** L for the root, 0 for the machines that ask their own leaves. */
  readonly level: number;
  /** Aggregators of this level. */
  readonly aggregators: number;
  /** Children that each of them asks, at most. */
  readonly children: number;
}

/** The times of the model in milliseconds, measured in this cluster's last queries; null: nothing was measured. */
export interface PlanMeasured {
  /** T_S: a machine's wait for its slowest leaf, at the planned number of rows. */
  readonly ts: number | null;
  /** T_A: reading and merging one child's answer, at the planned number of groups. */
  readonly ta: number | null;
  /** T_D: a question's way down to a child. */
  readonly td: number | null;
  /** T_G: an answer's way up. */
  readonly tg: number | null;
  /** The root's own time beside the tree: binding the query, finishing the answer. */
  readonly rootMs: number | null;
  /** Queries that were measured. */
  readonly queries: number;
  /** The largest numbers of rows of a leaf, and of groups, that were measured; a plan beyond them is extrapolated. */
  readonly rowsMax: number;
  readonly groupsMax: number;
}

/** How far the last queries' predicted times were from the measured ones: measured ÷ predicted. */
export interface PlanAccuracy {
  readonly queries: number;
  /** The median, and the quartiles around it: half of the queries lie between them. */
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What the predicted time consists of, in milliseconds. */
export interface PlanParts {
  /** T_S */
  readonly scanMs: number;
  /** L · (T_D + T_G) */
  readonly linksMs: number;
  /** (F · (L − 1) + R + D) · T_A */
  readonly mergeMs: number;
}

/** Memory for the rows, from the bytes that the rows of a stored table take. */
export interface PlanMemory {
  readonly table: string;
  readonly bytesPerRow: number;
  readonly copies: number;
  readonly leafBytes: number;
  readonly machineBytes: number;
  readonly totalBytes: number;
  /** What a leaf of this cluster has for rows; null: no leaf has said. */
  readonly leafBytesMax: number | null;
  /** Whether a leaf's rows fit; null: not known. */
  readonly fits: boolean | null;
}

/** Another cluster for the same rows. */
export interface PlanPoint {
  readonly machines: number;
  readonly fanOut: number;
  /** Rows of each leaf. */
  readonly rows: number;
  readonly levels: number;
  readonly predictedMs: number | null;
  /** null: not known. */
  readonly leafBytes: number | null;
}

/** How a cluster would answer, by the model of the Scuba paper (section 4) and times measured in this one. */
export interface ClusterPlan {
  /** What was planned: the options, filled up. */
  readonly planned: Required<Omit<PlanOptions, "table">> & { readonly table: string | null };
  /** L: levels of aggregators above the machines' own; 0 for one machine. */
  readonly levels: number;
  readonly fanOut: number;
  /** The root first. */
  readonly tree: readonly PlanLevel[];
  /** T_L = T_S + L · (T_D + T_G) + (F · (L − 1) + R + D) · T_A; null: nothing was measured. */
  readonly predictedMs: number | null;
  readonly parts: PlanParts | null;
  readonly measured: PlanMeasured;
  /** Of queries of the shape; null: none had a predicted time yet. */
  readonly accuracy: PlanAccuracy | null;
  /** null: there is no table with rows. */
  readonly memory: PlanMemory | null;
  /** The same rows on other numbers of machines, and with other fan-outs; the plan itself is among them. */
  readonly otherMachines: readonly PlanPoint[];
  readonly otherFanOuts: readonly PlanPoint[];
  /** What limits the plan: figures that are missing, extrapolated or measured elsewhere. */
  readonly notes: readonly string[];
}
