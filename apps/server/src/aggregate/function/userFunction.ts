import type { FinishValue } from "../../plan/query/finishValue.js";
import { columnOf } from "../state/stateKind.js";
import { type AggregateKind, noErrorBar } from "./aggregateKind.js";

type FunctionValue = Extract<FinishValue, { readonly kind: "function" }>;

/** What a user's function returned for a group: a number, or a text. */
export const userFunctionKind: AggregateKind<FunctionValue> = {
  absent: null,
  finish({ stateIndex }, states, group) {
    const found = columnOf(states[stateIndex]!, "finished").values[group] ?? null;
    return typeof found === "string" ? null : found;
  },
  text({ stateIndex }, states, group) {
    const found = columnOf(states[stateIndex]!, "finished").values[group] ?? null;
    return typeof found === "string" ? found : null;
  },
  doubt: noErrorBar,
};
