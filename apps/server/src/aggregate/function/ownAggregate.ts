import {
  type AggregateFunction,
  type AggregateRequest,
  rankByValue,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { AggregateKind } from "./aggregateKind.js";

/** A number that one aggregate finishes by itself, from states that there are. */
export type OwnValue = Extract<FinishValue, { readonly kind: "own" }>;

/** An aggregate with its own way to finish: most new ones need no more than this, and a line of the registry. */
export interface OwnAggregate extends AggregateFunction {
  readonly own: AggregateKind<OwnValue>;
}

/** What such an aggregate resolves to: the places of its states, in this order. */
export function ownValue(
  { spec, name, states }: AggregateRequest,
  specs: readonly StateSpec[],
): Pick<FinishAggregate, "name" | "value" | "rankBy"> {
  const stateIndexes = specs.map((state) => states.indexOf(state));
  const value: OwnValue = { kind: "own", fn: spec.fn, stateIndex: stateIndexes[0]!, stateIndexes };
  return { name, value, rankBy: rankByValue(value) };
}
