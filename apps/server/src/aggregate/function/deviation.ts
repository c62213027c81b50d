import {
  type AggregateFunction,
  floatColumn,
  intColumn,
  rankByValue,
  stateOf,
} from "../../plan/finish/aggregateFunction.js";
import type { DeviationFn, FinishValue } from "../../plan/query/finishValue.js";
import { squareSumOf } from "../state/squareState.js";
import { columnOf } from "../state/stateKind.js";
import { exactSumOf } from "../state/sumState.js";
import type { AggregateKind } from "./aggregateKind.js";

type Deviation = Extract<FinishValue, { readonly kind: "deviation" }>;

/**
 * Standard deviations and variances, as PostgreSQL has them: of a sample (`stddev`, `var_samp`) or of all there is
 * (`stddev_pop`, `var_pop`). A row of weight w counts for w equal values. Exact until the last step, so that large values
 * close to one another lose nothing. Missing for fewer than two values of a sample, or none.
 */
export const deviationKind: AggregateKind<Deviation> = {
  absent: null,
  finish({ stateIndex, sumIndex, which }, states, group) {
    const weight = columnOf(states[sumIndex]!, "sum").weights[group]!;
    const { isSample, isRoot } = traits[which];
    if (weight < (isSample ? 2 : 1)) return null;
    const sum = exactSumOf(states[sumIndex]!, group);
    if (sum === "overflow") return "overflow";
    const squares = BigInt(weight) * squareSumOf(states[stateIndex]!, group) - sum * sum;
    const variance = Number(squares) / (weight * (isSample ? weight - 1 : weight));
    return isRoot ? Math.sqrt(variance) : variance;
  },
  doubt: { missing: "no error bar is given.", sampled: "no error bar is given." },
};

const traits: Readonly<Record<DeviationFn, { isSample: boolean; isRoot: boolean }>> = {
  stddev: { isSample: true, isRoot: true },
  stddev_pop: { isSample: false, isRoot: true },
  var_samp: { isSample: true, isRoot: false },
  var_pop: { isSample: false, isRoot: false },
};

export const standardDeviation = createDeviation("stddev");
export const populationDeviation = createDeviation("stddev_pop");
export const variance = createDeviation("var_samp");
export const populationVariance = createDeviation("var_pop");

function createDeviation(which: DeviationFn): AggregateFunction {
  return {
    resolve(request) {
      const { name, states } = request;
      const column = intColumn(request);
      const sumIndex = states.indexOf(stateOf("sum", column));
      const stateIndex = states.indexOf(stateOf("squares", column));
      const value = { kind: "deviation", stateIndex, sumIndex, which } as const;
      const resolved = floatColumn({ name, value, rankBy: rankByValue(value) }, column);
      if (traits[which].isRoot) return resolved;
      // A variance is of squares, which have twice the digits and another unit.
      return { ...resolved, decimals: 2 * column.decimals, unit: undefined };
    },
  };
}
