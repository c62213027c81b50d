import {
  type AggregateFunction,
  exactColumn,
  floatColumn,
  intColumn,
  perMsOf,
  rankByState,
  stateOf,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import { exactSums, firstOverflow, floatSumOf, sumOf } from "../state/sumState.js";
import type { AggregateKind } from "./aggregateKind.js";

type SumValue = Extract<FinishValue, { readonly kind: "sum" }>;

/** Weighted sums, exact to 64 bits; rates of them are doubles. */
export const sumKind: AggregateKind<SumValue> = {
  absent: null,
  finish: ({ stateIndex, perMs }, states, group) =>
    perMs === null ? sumOf(states[stateIndex]!, group) : floatSumOf(states[stateIndex]!, group),
  firstOverflow: ({ stateIndex, perMs }, states) =>
    perMs === null ? firstOverflow(states[stateIndex]!) : -1,
  ordinals: ({ stateIndex }, states) => exactSums(states[stateIndex]!),
  estimatedAs: "sum",
  arrivesFirst: (_, { desc, bySeries }) => desc && !bySeries,
  grows: ({ stateIndex }, { states, neverNegative }) => {
    const spec = states[stateIndex];
    return spec?.kind === "sum" && neverNegative(spec.column);
  },
};

export const sum: AggregateFunction = {
  resolve(request) {
    const { spec, name, states } = request;
    const column = intColumn(request);
    const stateIndex = states.indexOf(stateOf("sum", column));
    const value = { kind: "sum", stateIndex, perMs: perMsOf(spec) } as const;
    const described = { name, value, rankBy: rankByState(value) };
    return value.perMs === null
      ? exactColumn(described, column, { isOneOfTheValues: false })
      : floatColumn(described, column);
  },
  sampledBy: "values",
};
