import { unitOfColumn } from "@hadal/sdk";
import { type AggregateFunction, intColumn, stateOf } from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import { bucketsOf } from "../state/histogram/histogramState.js";
import type { AggregateKind } from "./aggregateKind.js";

type HistogramValue = Extract<FinishValue, { readonly kind: "histogram" }>;

/** A list of buckets: no number, so that nothing is ranked by it or subtracted from it. */
export const histogramKind: AggregateKind<HistogramValue> = {
  absent: null,
  finish() {
    throw new Error("a histogram has no number of its own");
  },
  buckets: ({ stateIndex }, states, group, decimals) =>
    bucketsOf(states[stateIndex]!, group, decimals),
  doubt: {
    missing: "missing leaves would add to its buckets.",
    sampled: "its buckets have no error bars.",
  },
};

export const histogram: AggregateFunction = {
  resolve(request) {
    const { name, states } = request;
    const column = intColumn(request);
    return {
      name,
      type: "histogram",
      decimals: column.decimals,
      unit: unitOfColumn(column.name),
      value: { kind: "histogram", stateIndex: states.indexOf(stateOf("histogram", column)) },
      rankBy: null,
      spreadIndex: null,
      compared: ["compare"],
    };
  },
};
