import {
  type AggregateFunction,
  countColumn,
  rankByValue,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import { findColumn } from "../../plan/schema/tableSchema.js";
import { distinctInterval, distinctOf } from "../state/distinct/distinctState.js";
import type { AggregateKind } from "./aggregateKind.js";

type DistinctValue = Extract<FinishValue, { readonly kind: "distinct" }>;

/** How many different values there are; an estimate where they are too many to be kept. */
export const distinctKind: AggregateKind<DistinctValue> = {
  absent: 0,
  finish: ({ stateIndex }, states, group) => distinctOf(states[stateIndex]!, group),
  intervals:
    ({ stateIndex }, states) =>
    (_, scaled) =>
      distinctInterval(states[stateIndex]!, Number(scaled)),
  doubt: {
    missing: "missing leaves may hold further values.",
    sampled: "others may have held further values; it is not weighted.",
  },
};

export const distinct: AggregateFunction = {
  resolve({ spec, name, table, states, path }) {
    const column = findColumn(table, spec.column ?? "", `${path}.column`);
    const { name: read, type, decimals } = column;
    const stateIndex = states.indexOf({ kind: "distinct", column: read, type, decimals });
    const value = { kind: "distinct", stateIndex } as const;
    return countColumn({ name, value, rankBy: rankByValue(value) });
  },
};
