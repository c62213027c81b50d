import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  isFunctionAggregate,
  rawCountName,
  sampleRateColumn,
} from "@hadal/sdk";
import { readAdditive, readFinish } from "../../function/compile/additiveFunction.js";
import { readAggregate } from "../../function/compile/functionSource.js";
import { type FinishAggregate, numberParts } from "../query/finishPlan.js";
import type { StateSpec } from "../query/resolvedQuery.js";
import { findColumn, type TableSchema } from "../schema/tableSchema.js";
import { findFunction, type UserFunctions } from "../schema/userFunctions.js";
import type {
  AggregateFunction,
  AggregateFunctions,
  AggregateRequest,
  StateList,
} from "./aggregateFunction.js";

export interface ResolvedAggregates {
  readonly states: readonly StateSpec[];
  readonly aggregates: readonly FinishAggregate[];
}

/** What aggregates may call. */
export interface KnownFunctions {
  readonly aggregates: AggregateFunctions;
  readonly functions: UserFunctions;
}

/** States that the aggregates need, each once, and how to finish them. Without aggregates: count. */
export function resolveAggregates(
  specs: readonly (AggregateSpec | FunctionAggregate)[],
  table: TableSchema,
  { aggregates: known, functions }: KnownFunctions,
): ResolvedAggregates {
  const asked: readonly (AggregateSpec | FunctionAggregate)[] =
    specs.length > 0 ? specs : [{ fn: "count" }];
  const names = new Set(asked.map(aggregateName));
  const states = createStateList();
  const aggregates = asked.flatMap((spec, i): FinishAggregate[] => {
    const place = { table, states, path: `aggregates[${i}]` };
    if (isFunctionAggregate(spec)) return [resolveFunction(spec, functions, place)];
    const fn = known[spec.fn];
    const request = { ...place, spec, name: aggregateName(spec) };
    const own = fn.resolve(request);
    const resolved = { ...own, spreadIndex: spreadOf(fn, request) };
    const rawName = rawCountName(spec);
    // Someone may ask for the raw count by its name as well: one column is enough.
    if (fn.resolveRaw === undefined || names.has(rawName)) return [resolved];
    names.add(rawName);
    return [resolved, fn.resolveRaw({ ...request, name: rawName })];
  });
  return { states: states.list, aggregates };
}

/** The place of the state for the error from sample rates; null where there is none. */
function spreadOf(
  { sampledBy }: AggregateFunction,
  { spec, table, states }: AggregateRequest,
): number | null {
  if (sampledBy === undefined || !table.columns.has(sampleRateColumn)) return null;
  const column = spec.column ?? null;
  if (sampledBy === "rows") {
    return states.indexOf({ kind: "spread", column, values: false, decimals: 0 });
  }
  const { decimals } = findColumn(table, spec.column ?? "", "column");
  return states.indexOf({ kind: "spread", column, values: true, decimals });
}

function createStateList(): StateList {
  const list: StateSpec[] = [{ kind: "rows" }, { kind: "weight" }];
  const indexes = new Map(list.map((spec, i) => [JSON.stringify(spec), i]));
  return {
    list,
    indexOf(spec) {
      const key = JSON.stringify(spec);
      const index = indexes.get(key) ?? list.length;
      if (index === list.length) list.push(spec);
      indexes.set(key, index);
      return index;
    },
  };
}

/** A saved function, called with columns. */
function resolveFunction(
  spec: FunctionAggregate,
  functions: UserFunctions,
  { table, states, path }: Pick<AggregateRequest, "table" | "states" | "path">,
): FinishAggregate {
  const { source } = findFunction(functions, spec.fn, "aggregate", `${path}.fn`);
  readAggregate(source, `${path}.fn`, spec.columns.length);
  const columns = spec.columns.map((name, i) => {
    const column = findColumn(table, name, `${path}.columns[${i}]`);
    return { name, type: column.type, decimals: column.decimals };
  });
  const isNumeric = columns.every(({ type }) => type === "int");
  const additive = isNumeric ? readAdditive(source, columns.length) : null;
  const finish = additive === null ? null : readFinish(source, additive);
  const stateIndex = states.indexOf({
    kind: "function",
    source,
    columns,
    ...(additive === null ? {} : { additive }),
    ...(finish === null ? {} : { finish }),
  });
  return {
    name: aggregateName(spec),
    type: "float",
    decimals: 0,
    unit: undefined,
    value: { kind: "function", stateIndex },
    // Functions are finished with whole groups alone.
    rankBy: null,
    spreadIndex: null,
    compared: numberParts,
  };
}
