import type { Values } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { branchQuery } from "../../plan/query/branchQuery.js";
import type { ResolvedBranch, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { type DecodedView, decodedView } from "../derive/decodedView.js";
import { lowerComponents } from "../key/lowerComponents.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import { inputOf } from "../state/stateScans.js";
import type { SideTask, UnitBranch } from "../task/scanTask.js";
import { type LoweringPlace, lowerSide } from "./lowerSide.js";

/**
 * Rows that decide how large a branch's table may be: 65,536 hashed groups, or 262,144 codes of a
 * dictionary, of some 40 bytes each. A column with more values than that is of no use as a branch.
 */
const branchRowsMax = 65_536;
/** The same of texts, which have no dictionary and are read one by one. */
const textBranchRowsMax = 16_384;

export interface LoweredBranch {
  readonly query: ResolvedQuery;
  /** Per side. */
  readonly components: readonly (readonly LoweredComponent[])[];
  /** Per lane, and within it per side. */
  readonly lanes: readonly (readonly SideTask[])[];
}

/** The memory of the tables of all lanes. */
export interface LanesPlace extends LoweringPlace {
  readonly laneCount: number;
}

/** Tables for each branch of the query; null where the pool has no room for one. */
export function lowerBranches(
  query: ResolvedQuery,
  segmentsOf: readonly (readonly SegmentView[])[],
  place: LanesPlace,
): (LoweredBranch | null)[] {
  return (query.branches ?? []).map((branch) => {
    try {
      return lowerBranch(query, branch, segmentsOf, place);
    } catch (error) {
      if (error instanceof HadalError && error.code === "query-memory") return null;
      throw error;
    }
  });
}

function lowerBranch(
  whole: ResolvedQuery,
  branch: ResolvedBranch,
  segmentsOf: readonly (readonly SegmentView[])[],
  { tables, memory, laneCount }: LanesPlace,
): LoweredBranch {
  const query = branchQuery(whole, branch);
  const components = query.sides.map((side, i) =>
    lowerComponents(query.groupBy, side, segmentsOf[i]!, memory),
  );
  const rowsMax = components.some((own) => own.some(readsTexts))
    ? textBranchRowsMax
    : branchRowsMax;
  const lanes = Array.from({ length: laneCount }, () =>
    components.map((own, i): SideTask => {
      const load = { kind: "states" } as const;
      const asked = { query, segments: segmentsOf[i]!, components: own, load, rowsMax };
      const side = lowerSide(asked, { tables, memory });
      // Only the merge sees the whole of a group that several lanes have rows of.
      return laneCount > 1 ? { ...side, preCut: null } : side;
    }),
  );
  return { query, components, lanes };
}

/** Whether some rows have strings that get their codes while the query runs. */
function readsTexts({ task }: LoweredComponent): boolean {
  return task.kind === "codes" && task.cardinality > BigInt(task.firstVirtualCode);
}

/**
 * The times that groups read. Where nothing groups by time, the range alone needs the times, and searches in them as they
 * are.
 */
export function timesOfGroups(
  { groupBy }: Pick<ResolvedQuery, "groupBy">,
  segment: SegmentView,
  view: DecodedView,
): Values {
  return groupBy.some(({ kind }) => kind === "time") ? view.lateTimes : segment.times;
}

/**
 * The columns that a branch reads of one segment. Branches are decoded one after the other, each
 * into all of the thread's rooms.
 */
export function lowerUnitBranch(
  { query, components }: LoweredBranch,
  sideIndex: number,
  segment: SegmentView,
  { tables, memory }: LoweringPlace,
): UnitBranch {
  const view = decodedView(segment, memory);
  view.endFilter();
  return {
    times: timesOfGroups(query, segment, view),
    groups: components[sideIndex]!.map((component) => component.groupOf(view)),
    inputs: query.states.map((spec) => inputOf(spec, view, tables)),
    decodes: view.decodes,
  };
}
