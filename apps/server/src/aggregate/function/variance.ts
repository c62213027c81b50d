import { floatColumn, intColumn } from "../../plan/finish/aggregateFunction.js";
import { noErrorBar } from "./aggregateKind.js";
import { type Population, statesOfSquares, varianceOf } from "./moments.js";
import { type OwnAggregate, ownValue } from "./ownAggregate.js";

/** `var_samp`: the variance of a sample, as PostgreSQL has it. */
export const variance = createVariance("sample");
/** `var_pop`: the variance of all there is. */
export const populationVariance = createVariance("all");

function createVariance(of: Population): OwnAggregate {
  return {
    own: {
      absent: null,
      finish: (value, states, group) => varianceOf(value, states, group, of),
      doubt: noErrorBar,
    },
    resolve(request) {
      const column = intColumn(request);
      const resolved = floatColumn(ownValue(request, statesOfSquares(column)), column);
      // It is of squares, which have twice the digits and another unit.
      return { ...resolved, decimals: 2 * column.decimals, unit: undefined };
    },
  };
}
