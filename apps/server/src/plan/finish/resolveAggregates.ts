import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  HadalError,
  isFunctionAggregate,
  rateUnitMs,
  rawCountName,
  sampleRateColumn,
  timeColumn,
  unitOfColumn,
} from "@hadal/sdk";
import { readAdditive, readFinish } from "../../function/compile/additiveFunction.js";
import { readAggregate } from "../../function/compile/functionSource.js";
import { type FinishAggregate, type FinishValue, numberParts } from "../query/finishPlan.js";
import type { StateSpec } from "../query/resolvedQuery.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "../schema/tableSchema.js";
import { findFunction, type UserFunctions } from "../schema/userFunctions.js";

export interface ResolvedAggregates {
  readonly states: readonly StateSpec[];
  readonly aggregates: readonly FinishAggregate[];
}

/** States that the aggregates need, each once, and how to finish them. Without aggregates: count. */
export function resolveAggregates(
  specs: readonly (AggregateSpec | FunctionAggregate)[],
  table: TableSchema,
  functions: UserFunctions,
): ResolvedAggregates {
  const asked: readonly (AggregateSpec | FunctionAggregate)[] =
    specs.length > 0 ? specs : [{ fn: "count" }];
  const names = new Set(asked.map(aggregateName));
  const states = createStateList();
  const aggregates = asked.flatMap((spec, i) => {
    if (isFunctionAggregate(spec)) {
      return [resolveFunction(spec, table, functions, states, `aggregates[${i}]`)];
    }
    const resolved = resolveAggregate(spec, table, states, `aggregates[${i}]`);
    const finished = { ...resolved, spreadIndex: spreadOf(spec, table, states) };
    const rawName = rawCountName(spec);
    // Somebody may ask for the raw count by its name as well: one column is enough.
    if (spec.fn !== "count" || names.has(rawName)) return [finished];
    names.add(rawName);
    return [finished, rawCount(spec, rawName, states)];
  });
  return { states: states.list, aggregates };
}

/** What tells the error of a number that sample rates weight; null where the table has none, or it is no such number. */
function spreadOf(spec: AggregateSpec, table: TableSchema, states: StateList): number | null {
  if (!table.columns.has(sampleRateColumn)) return null;
  const column = spec.column ?? null;
  switch (spec.fn) {
    case "count":
    case "percentile":
      return states.indexOf({ kind: "spread", column, values: false, decimals: 0 });
    case "sum":
    case "avg": {
      const { decimals } = table.columns.get(column ?? "")!;
      return states.indexOf({ kind: "spread", column, values: true, decimals });
    }
    default:
      return null;
  }
}

interface StateList {
  readonly list: StateSpec[];
  indexOf(spec: StateSpec): number;
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

function resolveAggregate(
  spec: AggregateSpec,
  table: TableSchema,
  states: StateList,
  path: string,
): FinishAggregate {
  const name = aggregateName(spec);
  const perMs = spec.per === undefined ? null : rateUnitMs[spec.per];
  switch (spec.fn) {
    case "count": {
      const stateIndex = states.indexOf(countState(spec, table, path));
      return countColumn(name, { kind: "count", stateIndex, perMs }, numberParts);
    }
    case "count.raw":
      return countColumn(name, { kind: "count", stateIndex: 0, perMs }, numberParts);
    case "sum": {
      const column = intColumn(spec, table, path);
      const stateIndex = states.indexOf(stateOf("sum", column));
      const value: FinishValue = { kind: "sum", stateIndex, perMs };
      return perMs === null ? exact(name, column, value, false) : float(name, column, value);
    }
    case "avg": {
      const column = intColumn(spec, table, path);
      const stateIndex = states.indexOf(stateOf("sum", column));
      return float(name, column, { kind: "average", stateIndex });
    }
    case "min":
    case "max": {
      const named = findColumn(table, spec.column ?? "", `${path}.column`);
      // Numbers that are seen as texts, for there are others beside them, have another order.
      if (named.type === "string" && named.holds === undefined) {
        const which = spec.fn;
        const stateIndex = states.indexOf({ kind: "text", which, column: named.name });
        return text(name, stateIndex);
      }
      const column = intColumn(spec, table, path);
      const stateIndex = states.indexOf(stateOf(spec.fn, column));
      return exact(name, column, { kind: "extreme", stateIndex }, true);
    }
    case "percentile": {
      const column = intColumn(spec, table, path);
      const stateIndex = states.indexOf(stateOf("histogram", column));
      const minIndex = states.indexOf(stateOf("min", column));
      const maxIndex = states.indexOf(stateOf("max", column));
      const squaresIndex = table.columns.has(sampleRateColumn)
        ? states.indexOf({
            kind: "histogram",
            column: column.name,
            decimals: column.decimals,
            squared: true,
          })
        : null;
      return exact(
        name,
        column,
        {
          kind: "percentile",
          stateIndex,
          p: percentOf(spec, path),
          minIndex,
          maxIndex,
          squaresIndex,
        },
        true,
      );
    }
    case "histogram": {
      const column = intColumn(spec, table, path);
      const stateIndex = states.indexOf(stateOf("histogram", column));
      return histogram(name, column, { kind: "histogram", stateIndex });
    }
    case "stddev":
    case "stddev_pop":
    case "var_samp":
    case "var_pop": {
      const column = intColumn(spec, table, path);
      const sumIndex = states.indexOf(stateOf("sum", column));
      const stateIndex = states.indexOf(stateOf("squares", column));
      const value: FinishValue = { kind: "stddev", stateIndex, sumIndex, which: spec.fn };
      return spread(name, column, value);
    }
    case "distinct": {
      const {
        name: column,
        type,
        decimals,
      } = findColumn(table, spec.column ?? "", `${path}.column`);
      const stateIndex = states.indexOf({ kind: "distinct", column, type, decimals });
      return countColumn(name, { kind: "distinct", stateIndex }, numberParts);
    }
  }
}

/** A saved function, called with columns. */
function resolveFunction(
  spec: FunctionAggregate,
  table: TableSchema,
  functions: UserFunctions,
  states: StateList,
  path: string,
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
    spreadIndex: null,
    compared: numberParts,
  };
}

function rawCount(spec: AggregateSpec, name: string, states: StateList): FinishAggregate {
  const stateIndex =
    spec.column === undefined
      ? 0
      : states.indexOf({ kind: "present", column: spec.column, weighted: false });
  return countColumn(name, { kind: "count", stateIndex, perMs: null }, []);
}

function countState(spec: AggregateSpec, table: TableSchema, path: string): StateSpec {
  if (spec.column === undefined) return { kind: "weight" };
  findColumn(table, spec.column, `${path}.column`);
  return { kind: "present", column: spec.column, weighted: true };
}

function stateOf(
  kind: "sum" | "min" | "max" | "histogram" | "squares",
  column: SchemaColumn,
): StateSpec {
  return { kind, column: column.name, decimals: column.decimals };
}

function intColumn(spec: AggregateSpec, table: TableSchema, path: string): SchemaColumn {
  const column = findColumn(table, spec.column ?? "", `${path}.column`);
  if (column.type === "int") return column;
  const wanted = spec.fn === "min" || spec.fn === "max" ? "numbers or strings" : "numbers";
  throw typeMismatch(
    `${path}.column`,
    `${spec.fn} needs a column of ${wanted}; ${describeColumn(column)} is none.`,
  );
}

function percentOf(spec: AggregateSpec, path: string): number {
  if (spec.p !== undefined && spec.p > 0 && spec.p < 100) return spec.p;
  const detail = "percentile needs p above 0 and below 100.";
  throw new HadalError("invalid-query", { detail }, [
    { path: `${path}.p`, code: "out-of-range", detail },
  ]);
}

function countColumn(
  name: string,
  value: Extract<FinishValue, { kind: "count" | "distinct" }>,
  compared: FinishAggregate["compared"],
): FinishAggregate {
  const type = value.kind === "distinct" || value.perMs === null ? "int" : "float";
  return { name, type, decimals: 0, unit: undefined, value, spreadIndex: null, compared };
}

function float(name: string, column: SchemaColumn, value: FinishValue): FinishAggregate {
  const { decimals } = column;
  return {
    name,
    type: "float",
    decimals,
    unit: unitOfColumn(column.name),
    value,
    spreadIndex: null,
    compared: numberParts,
  };
}

/** Variances are of squares, which have twice the digits and another unit. */
function spread(
  name: string,
  column: SchemaColumn,
  value: Extract<FinishValue, { kind: "stddev" }>,
): FinishAggregate {
  const finish = float(name, column, value);
  if (value.which === "stddev" || value.which === "stddev_pop") return finish;
  return { ...finish, decimals: 2 * column.decimals, unit: undefined };
}

/** Nothing is subtracted from texts. */
function text(name: string, stateIndex: number): FinishAggregate {
  const compared = ["compare"] as const;
  const value: FinishValue = { kind: "text", stateIndex };
  return { name, type: "string", decimals: 0, unit: undefined, value, spreadIndex: null, compared };
}

/** Nothing is subtracted from a list of buckets. */
function histogram(name: string, column: SchemaColumn, value: FinishValue): FinishAggregate {
  const { decimals } = column;
  const unit = unitOfColumn(column.name);
  const compared = ["compare"] as const;
  return { name, type: "histogram", decimals, unit, value, spreadIndex: null, compared };
}

/** Whole numbers and decimals; an extreme or percentile of times is a time. */
function exact(
  name: string,
  column: SchemaColumn,
  value: FinishValue,
  isOneOfTheValues: boolean,
): FinishAggregate {
  const { decimals } = column;
  const number = decimals > 0 ? "decimal" : "int";
  const type = isOneOfTheValues && column.name === timeColumn ? "time" : number;
  const unit = unitOfColumn(column.name);
  return { name, type, decimals, unit, value, spreadIndex: null, compared: numberParts };
}
