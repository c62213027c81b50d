import { stateOf } from "../../plan/finish/aggregateFunction.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";
import type { StateColumn } from "../partial/partialResult.js";
import { squareSumOf } from "../state/squareState.js";
import { columnOf } from "../state/stateKind.js";
import { exactSumOf } from "../state/sumState.js";
import type { OwnValue } from "./ownAggregate.js";

/** Whether the values are a sample of others, or all there is. */
export type Population = "sample" | "all";

/** What {@link varianceOf} reads, in its order: sums of squares, and sums. */
export const statesOfSquares = (column: SchemaColumn): readonly StateSpec[] => [
  stateOf("squares", column),
  stateOf("sum", column),
];

/**
 * The variance of a group's values. A row of weight w counts for w equal values. Exact until the last step, so that large
 * values close to one another lose nothing. Null for fewer than two values of a sample, or none.
 */
export function varianceOf(
  { stateIndexes: [squares, sums] }: OwnValue,
  states: readonly StateColumn[],
  group: number,
  of: Population,
): number | null | "overflow" {
  const weight = columnOf(states[sums!]!, "sum").weights[group]!;
  if (weight < (of === "sample" ? 2 : 1)) return null;
  const sum = exactSumOf(states[sums!]!, group);
  if (sum === "overflow") return "overflow";
  const scaled = BigInt(weight) * squareSumOf(states[squares!]!, group) - sum * sum;
  return Number(scaled) / (weight * (of === "sample" ? weight - 1 : weight));
}
