import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { chooseTable } from "../group/chooseTable.js";
import { groupCapacity } from "../group/groupTables.js";
import type { GroupLoad } from "../group/lowerNarrow.js";
import type { LoweredComponent } from "../key/loweredComponent.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { areWeighted, rowsOf } from "../program/segmentsInTotals.js";
import type { ElementTables } from "../state/distinct/elementTables.js";
import { lowerState } from "../state/stateScans.js";
import type { SideTask } from "../task/scanTask.js";
import { choosePreCut } from "./choosePreCut.js";

/** A side to lower. */
export interface SideToLower {
  readonly query: ResolvedQuery;
  readonly segments: readonly SegmentView[];
  readonly components: readonly LoweredComponent[];
  readonly load: GroupLoad;
  /** No more rows than these decide how large the table may be. */
  readonly rowsMax?: number;
}

/** The memory of a query's tables. */
export interface LoweringPlace {
  readonly tables: ElementTables;
  readonly memory: QueryMemory;
}

/** Group table and states of one side, for one lane. */
export function lowerSide(
  { query, segments, components, load, rowsMax = Number.POSITIVE_INFINITY }: SideToLower,
  { tables, memory }: LoweringPlace,
): SideTask {
  const rowsPerRow = components.reduce((product, { itemsMax }) => product * itemsMax, 1);
  const rowCount = rowsPerRow * rowsOf(segments);
  const table = chooseTable(
    components.map(({ task }) => task),
    Math.min(rowCount, rowsMax),
    memory,
    load,
  );
  const groupCount = groupCapacity(table);
  const isLarge = table.kind === "parted" || (table.kind === "direct" && table.tallies !== 0);
  const lowSums = isLarge && !areWeighted(segments);
  const counts = memory.allocate(groupCount * 4);
  const states = query.states.map((spec) =>
    lowerState(spec, { segments, groupCount, rowCount, lowSums, memory, tables }),
  );
  return {
    ...{ table, components: components.map(({ task }) => task), counts, states },
    dealt: null,
    // Strings with and without codes may be one group, which only the merge will see.
    preCut: components.some(({ mixesText }) => mixesText) ? null : choosePreCut(query),
  };
}
