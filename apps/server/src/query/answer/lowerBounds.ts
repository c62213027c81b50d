import { aggregateKindOf } from "../../aggregate/function/aggregateKinds.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";

/**
 * Columns of a result that are based on a part of the rows and never fall with more rows: counts, and sums of columns without
 * negative values. `isPart`: by side, whether rows are missing.
 */
export function lowerBounds(
  { resolved, finish }: SplitQuery,
  isPart: readonly boolean[],
  neverNegative: (column: string) => boolean,
): readonly string[] {
  if (!isPart.includes(true)) return [];
  const { states, derived = [] } = resolved;
  // The range of derived columns is unknown.
  const isStored = (column: string): boolean => !derived.some(({ name }) => name === column);
  const context = {
    states,
    neverNegative: (column: string): boolean => isStored(column) && neverNegative(column),
  };
  return finish.aggregates.flatMap(({ name, compared, value }) => {
    if (aggregateKindOf(value)?.grows?.(value, context) !== true) return [];
    return [
      ...(isPart[0] === true ? [name] : []),
      ...(isPart[1] === true && compared.includes("compare") ? [`${name}.compare`] : []),
    ];
  });
}
