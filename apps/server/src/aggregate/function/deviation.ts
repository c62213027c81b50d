import type { AggregateFn } from "@hadal/sdk";
import { floatColumn, intColumn, stateOf } from "../../plan/finish/aggregateFunction.js";
import { squareSumOf } from "../state/squareState.js";
import { columnOf } from "../state/stateKind.js";
import { exactSumOf } from "../state/sumState.js";
import type { AggregateKind } from "./aggregateKind.js";
import { type OwnAggregate, type OwnValue, ownValue } from "./ownAggregate.js";

const traits = {
  stddev: { isSample: true, isRoot: true },
  stddev_pop: { isSample: false, isRoot: true },
  var_samp: { isSample: true, isRoot: false },
  var_pop: { isSample: false, isRoot: false },
} as const satisfies Partial<Record<AggregateFn, object>>;

type DeviationFn = keyof typeof traits;

export const standardDeviation = createDeviation("stddev");
export const populationDeviation = createDeviation("stddev_pop");
export const variance = createDeviation("var_samp");
export const populationVariance = createDeviation("var_pop");

/**
 * Standard deviations and variances, as PostgreSQL has them: of a sample (`stddev`, `var_samp`) or of all there is
 * (`stddev_pop`, `var_pop`). A row of weight w counts for w equal values. Exact until the last step, so that large values
 * close to one another lose nothing. Missing for fewer than two values of a sample, or none.
 */
function createDeviation(fn: DeviationFn): OwnAggregate {
  const { isSample, isRoot } = traits[fn];
  const own: AggregateKind<OwnValue> = {
    absent: null,
    finish({ stateIndexes: [squares, sums] }, states, group) {
      const weight = columnOf(states[sums!]!, "sum").weights[group]!;
      if (weight < (isSample ? 2 : 1)) return null;
      const sum = exactSumOf(states[sums!]!, group);
      if (sum === "overflow") return "overflow";
      const scaled = BigInt(weight) * squareSumOf(states[squares!]!, group) - sum * sum;
      const variance = Number(scaled) / (weight * (isSample ? weight - 1 : weight));
      return isRoot ? Math.sqrt(variance) : variance;
    },
    doubt: { missing: "no error bar is given.", sampled: "no error bar is given." },
  };
  return {
    own,
    resolve(request) {
      const column = intColumn(request);
      const value = ownValue(request, [stateOf("squares", column), stateOf("sum", column)]);
      const resolved = floatColumn(value, column);
      // A variance is of squares, which have twice the digits and another unit.
      return isRoot ? resolved : { ...resolved, decimals: 2 * column.decimals, unit: undefined };
    },
  };
}
