import { filterLabel } from "../../../query/filter/operators.js";
import type { FilterChip } from "../../../query/state/exploreState.js";

export interface Step {
  readonly label: string;
  /** How many of the filters are kept on the way back to it. */
  readonly count: number;
}

/** From all rows to these, a step per filter in force. What is laid aside goes with the step before it. */
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
