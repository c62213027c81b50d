import {
  type ClusterPlan,
  type PlanMeasured,
  type PlanMemory,
  type PlanPoint,
  type PlanShape,
  planBounds,
} from "@hadal/sdk";
import { costOf } from "./costLine.js";
import type { QueryCosts } from "./costSamples.js";
import type { PlanFacts, PlannedCluster } from "./planFacts.js";
import { planNotes } from "./planNotes.js";
import { predictParts, sumOfParts, type TreeCosts } from "./predictTime.js";
import { treeCosts } from "./queryTimings.js";
import { checkNumber, levelsOfTree, type TreeShape, treeShape } from "./treeShape.js";

/** Plans a cluster. Throws `bad-request` for numbers out of bounds. */
export function planCluster(planned: PlannedCluster, facts: PlanFacts): ClusterPlan {
  for (const name of ["rows", "groups", "copies"] as const) checkNumber(name, planned[name]);
  const shape = treeShape(planned);
  const costs = facts.costs === null ? null : treeCosts(facts.costs, planned);
  const parts = costs === null ? null : predictParts(shape, costs);
  const memory = memoryOf(planned, facts);
  return {
    planned,
    levels: shape.levels,
    fanOut: planned.fanOut,
    tree: levelsOfTree(shape),
    predictedMs: parts === null ? null : sumOfParts(parts),
    parts,
    measured: measuredOf(costs, facts.costs, planned.groups),
    accuracy: facts.accuracy,
    memory,
    otherMachines: machineCounts(planned.machines).map((machines) =>
      pointOf(onMachines(planned, machines), facts),
    ),
    otherFanOuts: fanOuts(planned.fanOut).map((fanOut) => pointOf({ ...planned, fanOut }, facts)),
    notes: planNotes(planned, shape, facts, memory),
  };
}

/** Groups that a query has unless the plan says otherwise: as many as those that were measured. */
export function usualGroups(shape: PlanShape, costs: QueryCosts | null): number {
  if (shape === "scan" || costs === null) return 1;
  return Math.min(planBounds.groups.max, Math.max(1, Math.round(costs.groups)));
}

function measuredOf(
  times: TreeCosts | null,
  costs: QueryCosts | null,
  groups: number,
): PlanMeasured {
  return {
    ts: times?.ts ?? null,
    ta: times?.ta ?? null,
    td: times?.td ?? null,
    tg: times?.tg ?? null,
    rootMs: costs === null ? null : costOf(costs.root, groups),
    queries: costs?.queries ?? 0,
    rowsMax: costs?.rowsMax ?? 0,
    groupsMax: costs?.groupsMax ?? 0,
  };
}

function memoryOf(planned: PlannedCluster, facts: PlanFacts): PlanMemory | null {
  const { bytesPerRow, leafBytesMax } = facts;
  const { table, copies, leaves, machines } = planned;
  if (table === null || bytesPerRow === null) return null;
  const leafBytes = leafBytesOf(planned, bytesPerRow);
  return {
    ...{ table, bytesPerRow, copies, leafBytes },
    machineBytes: leafBytes * leaves,
    totalBytes: leafBytes * leaves * machines,
    leafBytesMax,
    fits: leafBytesMax === null ? null : leafBytes <= leafBytesMax,
  };
}

/** A leaf holds copies of another leaf's rows beside its own. */
const leafBytesOf = ({ rows, copies }: PlannedCluster, bytesPerRow: number): number =>
  Math.ceil(rows * bytesPerRow) * copies;

function pointOf(planned: PlannedCluster, { costs, bytesPerRow }: PlanFacts): PlanPoint {
  const { machines, fanOut, rows } = planned;
  const shape: TreeShape = treeShape(planned);
  return {
    ...{ machines, fanOut, rows },
    levels: shape.levels,
    predictedMs: costs === null ? null : sumOfParts(predictParts(shape, treeCosts(costs, planned))),
    leafBytes: bytesPerRow === null ? null : leafBytesOf(planned, bytesPerRow),
  };
}

/** The same rows in total. */
function onMachines(planned: PlannedCluster, machines: number): PlannedCluster {
  const rows = Math.ceil((planned.rows * planned.machines) / machines);
  return { ...planned, machines, rows: Math.min(planBounds.rows.max, rows) };
}

/** From half of the machines to eight times as many, one more and one fewer among them. */
function machineCounts(machines: number): readonly number[] {
  const counts = [machines / 2, machines - 1, machines, machines + 1, machines + 2];
  const more = [2, 4, 8].map((times) => times * machines);
  return inOrder([...counts.map(Math.ceil), ...more], planBounds.machines);
}

/** Those that a cluster would use, the planned one, and twice that. */
const fanOuts = (fanOut: number): readonly number[] =>
  inOrder([2, 3, 4, 5, 6, 8, fanOut, 2 * fanOut], planBounds.fanOut);

function inOrder(
  numbers: readonly number[],
  { min, max }: { readonly min: number; readonly max: number },
): readonly number[] {
  const within = numbers.filter((number) => number >= min && number <= max);
  return [...new Set(within)].sort((a, b) => a - b);
}
