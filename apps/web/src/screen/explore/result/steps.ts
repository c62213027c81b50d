import { filterLabel } from "../../../query/filter/operators.js";
import type { FilterChip } from "../../../query/state/exploreState.js";

export interface Step {
  readonly label: string;
  /** The number of filters that remain after going back to this step. */
  readonly count: number;
}

/** “all”, then a step per active filter. A filter turned off belongs to the step before it. */
export function stepsOf(filters: readonly FilterChip[]): readonly Step[] {
  const inForce = filters.flatMap(({ off }, i) => (off ? [] : [i]));
  return [-1, ...inForce].map((index, step) => {
    const chip = filters[index];
    return {
      label: chip === undefined ? "all" : filterLabel(chip.filter),
      count: inForce[step] ?? filters.length,
    };
  });
}
