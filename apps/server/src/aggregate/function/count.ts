import type { AggregateSpec } from "@hadal/sdk";
import {
  type AggregateFunction,
  type AggregateRequest,
  countColumn,
  perMsOf,
  rankByState,
} from "../../plan/finish/aggregateFunction.js";
import type { FinishAggregate } from "../../plan/query/finishPlan.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { findColumn } from "../../plan/schema/tableSchema.js";
import { countOf } from "../state/countState.js";
import { columnOf } from "../state/stateKind.js";
import type { AggregateKind } from "./aggregateKind.js";

type CountValue = Extract<FinishValue, { readonly kind: "count" }>;

/** Rows, or rows that have a value; a sample rate of N makes N of one. */
export const countKind: AggregateKind<CountValue> = {
  absent: 0,
  finish: ({ stateIndex }, states, group) => countOf(states[stateIndex]!, group),
  ordinals: ({ stateIndex }, states) => columnOf(states[stateIndex]!, "count").values,
  estimatedAs: "count",
  arrivesFirst: (_, { desc, bySeries }) => desc && !bySeries,
  grows: () => true,
};

export const count: AggregateFunction = {
  resolve: (request) => resolveCount(request, stateOfCount(request)),
  sampledBy: "rows",
  resolveRaw: (request) => ({
    ...resolveCount({ ...request, spec: withoutRate(request.spec) }, rawStateOf(request)),
    compared: [],
  }),
};

/** Rows as they are stored, whatever they stand for. */
export const rawCount: AggregateFunction = {
  resolve: (request) => resolveCount(request, { kind: "rows" }),
};

function resolveCount({ spec, name, states }: AggregateRequest, state: StateSpec): FinishAggregate {
  const stateIndex = states.indexOf(state);
  const value = { kind: "count", stateIndex, perMs: perMsOf(spec) } as const;
  return countColumn({ name, value, rankBy: rankByState(value) });
}

/** The raw count beside a rate is no rate. */
const withoutRate = ({ per, ...spec }: AggregateSpec): AggregateSpec => spec;

function rawStateOf({ spec }: AggregateRequest): StateSpec {
  if (spec.column === undefined) return { kind: "rows" };
  return { kind: "present", column: spec.column, weighted: false };
}

function stateOfCount({ spec, table, path }: AggregateRequest): StateSpec {
  if (spec.column === undefined) return { kind: "weight" };
  findColumn(table, spec.column, `${path}.column`);
  return { kind: "present", column: spec.column, weighted: true };
}
