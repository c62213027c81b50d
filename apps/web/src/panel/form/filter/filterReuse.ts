import type { Filter } from "@hadal/sdk";
import { conditionOf } from "../../../query/filter/filterTree.js";
import { filterLabel, valuesOf } from "../../../query/filter/operators.js";
import type { CompareState, ExploreState, FilterChip } from "../../../query/state/exploreState.js";

/** The comparison with the filter on side B, which starts as a copy of the active filters. */
export function compareWith(
  { compare, filters }: Pick<ExploreState, "compare" | "filters">,
  chip: FilterChip,
): CompareState {
  const copied = filters.filter((one) => !one.off || one === chip).map((one) => one.filter);
  const filter = compare?.filter == null ? copied : [...compare.filter, chip.filter];
  return { offset: compare?.offset ?? null, filter };
}

/** The values of a filter, one per line, or its label if it has none. */
export function valuesText(filter: Filter): string {
  const condition = conditionOf(filter);
  const text = condition === null ? "" : valuesOf(condition).map(String).join("\n");
  return text === "" ? filterLabel(filter) : text;
}
