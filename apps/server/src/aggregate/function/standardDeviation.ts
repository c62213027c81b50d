import { floatColumn, intColumn } from "../../plan/finish/aggregateFunction.js";
import { noErrorBar } from "./aggregateKind.js";
import { type Population, statesOfSquares, varianceOf } from "./moments.js";
import { type OwnAggregate, ownValue } from "./ownAggregate.js";

/** `stddev`: the standard deviation of a sample, as PostgreSQL has it. */
export const standardDeviation = createDeviation("sample");
/** `stddev_pop`: the standard deviation of all there is. */
export const populationDeviation = createDeviation("all");

function createDeviation(of: Population): OwnAggregate {
  return {
    own: {
      absent: null,
      finish(value, states, group) {
        const variance = varianceOf(value, states, group, of);
        return typeof variance === "number" ? Math.sqrt(variance) : variance;
      },
      doubt: noErrorBar,
    },
    resolve(request) {
      const column = intColumn(request);
      return floatColumn(ownValue(request, statesOfSquares(column)), column);
    },
  };
}
