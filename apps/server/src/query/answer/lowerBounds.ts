import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";

/**
 * Columns of a result that stand on a part of the rows and only grow with more of them: counts, and sums of columns without
 * negative values. `isPart`: by side, whether rows of it are missing.
 */
export function lowerBounds(
  { resolved, finish }: SplitQuery,
  isPart: readonly boolean[],
  neverNegative: (column: string) => boolean,
): readonly string[] {
  if (!isPart.includes(true)) return [];
  return finish.aggregates.flatMap((aggregate) => {
    if (!grows(aggregate, resolved, neverNegative)) return [];
    const { name, compared } = aggregate;
    return [
      ...(isPart[0] === true ? [name] : []),
      ...(isPart[1] === true && compared.includes("compare") ? [`${name}.compare`] : []),
    ];
  });
}

function grows(
  { value, type }: FinishAggregate,
  { states, derived = [] }: ResolvedQuery,
  neverNegative: (column: string) => boolean,
): boolean {
  if (type === "histogram") return false;
  if (value.kind === "count") return true;
  const spec = value.kind === "sum" ? states[value.stateIndex] : undefined;
  if (spec?.kind !== "sum") return false;
  // Of what the query computes nothing is known.
  return !derived.some(({ name }) => name === spec.column) && neverNegative(spec.column);
}
