import {
  type AggregateFunction,
  floatColumn,
  intColumn,
  rankByValue,
  stateOf,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import { averageOf } from "../state/sumState.js";
import type { AggregateKind } from "./aggregateKind.js";

type AverageValue = Extract<FinishValue, { readonly kind: "average" }>;

/** The weighted mean of the values that are present. */
export const averageKind: AggregateKind<AverageValue> = {
  absent: null,
  finish: ({ stateIndex }, states, group) => averageOf(states[stateIndex]!, group),
  estimatedAs: "average",
};

export const average: AggregateFunction = {
  resolve(request) {
    const { name, states } = request;
    const column = intColumn(request);
    const value = { kind: "average", stateIndex: states.indexOf(stateOf("sum", column)) } as const;
    return floatColumn({ name, value, rankBy: rankByValue(value) }, column);
  },
  sampledBy: "values",
};
