import type { PlanMemory } from "@hadal/sdk";
import { fanOutMax, fanOutMin } from "../base/limit/clusterSettings.js";
import type { PlanFacts, PlannedCluster } from "./planFacts.js";
import type { TreeShape } from "./treeShape.js";

/** Beyond this multiple of what was measured a plan is an extrapolation. */
const farTimes = 4;

/** What limits a plan: figures that are missing, extrapolated or measured elsewhere. */
export function planNotes(
  planned: PlannedCluster,
  { levels }: TreeShape,
  facts: PlanFacts,
  memory: PlanMemory | null,
): readonly string[] {
  const { costs } = facts;
  const notes: string[] = [];
  if (facts.isHidden) {
    notes.push(
      "Times are measured over the queries of all tables. You may read only some of them: the plan has no times.",
    );
  } else if (costs === null) {
    notes.push(
      `Nothing has been measured yet for the shape ${planned.shape}: the plan has no times. Ask such a query, then plan again.`,
    );
  } else {
    notes.push(...extrapolations(planned, costs));
    if (levels > 0 && facts.machines === 1) {
      notes.push(
        "T_D and T_G were measured inside one machine. A network between machines adds its own delay to each level.",
      );
    }
  }
  if (planned.fanOut > fanOutMax) {
    notes.push(
      `hadal serve --fan-out takes ${fanOutMin} to ${fanOutMax}: this plan is for comparison.`,
    );
  }
  if (memory === null) {
    notes.push("No table with rows can be read: the memory of a row is not known.");
  } else if (memory.fits === false) {
    notes.push("The rows of a leaf do not fit its memory: plan more machines or more leaves.");
  }
  return notes;
}

function extrapolations(
  { rows, groups }: PlannedCluster,
  { rowsMax, groupsMax, queries }: NonNullable<PlanFacts["costs"]>,
): readonly string[] {
  const far = [
    ...(rows > farTimes * rowsMax ? [`${printCount(rowsMax)} rows a leaf`] : []),
    ...(groups > farTimes * groupsMax ? [`${printCount(groupsMax)} groups`] : []),
  ];
  if (far.length === 0) return [];
  const measured = `${printCount(queries)} measured ${queries === 1 ? "query" : "queries"}`;
  return [`Extrapolated: the ${measured} had at most ${far.join(" and ")}.`];
}

const printCount = (count: number): string => count.toLocaleString("en-US");
