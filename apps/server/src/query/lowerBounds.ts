import type { PartialResult } from "../aggregate/partialResult.js";
import { columnOf } from "../aggregate/stateKind.js";
import type { FinishAggregate } from "../plan/finishPlan.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import type { SplitQuery } from "../plan/splitQuery.js";

/**
 * Columns of a result that stand on a part of the rows and only grow with more of them: counts, and sums where the rows that
 * answered say that no value is negative. `isPart`: by side, whether rows of it are missing.
 */
export function lowerBounds(
  { resolved, finish }: SplitQuery,
  parts: readonly PartialResult[],
  isPart: readonly boolean[],
): readonly string[] {
  if (!isPart.includes(true)) return [];
  return finish.aggregates.flatMap((aggregate) => {
    if (!grows(aggregate, resolved, parts)) return [];
    const { name, compared } = aggregate;
    return [
      ...(isPart[0] === true ? [name] : []),
      ...(isPart[1] === true && compared.includes("compare") ? [`${name}.compare`] : []),
    ];
  });
}

function grows(
  { value, type }: FinishAggregate,
  resolved: ResolvedQuery,
  parts: readonly PartialResult[],
): boolean {
  if (type === "histogram") return false;
  if (value.kind === "count") return true;
  return value.kind === "sum" && neverNegative(value.stateIndex, resolved, parts);
}

/** Leaves say so of the sum that they rank groups by; of others the least value tells, where it is asked for too. */
function neverNegative(
  stateIndex: number,
  { states, cut }: ResolvedQuery,
  parts: readonly PartialResult[],
): boolean {
  const by = cut.ranks[0]?.by;
  if (by?.kind === "state" && by.stateIndex === stateIndex && parts.every((part) => part.grows)) {
    return true;
  }
  const spec = states[stateIndex];
  const minIndex = states.findIndex(
    (state) => state.kind === "min" && spec?.kind === "sum" && state.column === spec.column,
  );
  if (minIndex < 0) return false;
  return parts.every(({ sides }) =>
    sides.every((side) => {
      const { values, present } = columnOf(side.states[minIndex]!, "extreme");
      return values.every((value, group) => present[group] === 0 || value >= 0n);
    }),
  );
}
