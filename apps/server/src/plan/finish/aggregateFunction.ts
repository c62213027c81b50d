import {
  type AggregateSpec,
  type ResultType,
  rateUnitMs,
  timeColumn,
  unitOfColumn,
} from "@hadal/sdk";
import { type FinishAggregate, numberParts } from "../query/finishPlan.js";
import type { FinishValue } from "../query/finishValue.js";
import type { RankBy, StateSpec } from "../query/resolvedQuery.js";
import {
  describeColumn,
  findColumn,
  type SchemaColumn,
  type TableSchema,
  typeMismatch,
} from "../schema/tableSchema.js";

/** The states of a query, each once. */
export interface StateList {
  readonly list: readonly StateSpec[];
  /** The place of a state in the list; it is added where it was not there. */
  indexOf(spec: StateSpec): number;
}

/** One aggregate that a query asks for. */
export interface AggregateRequest {
  readonly spec: AggregateSpec;
  /** Of its column in the result. */
  readonly name: string;
  readonly table: TableSchema;
  readonly states: StateList;
  /** Where the query has it, for problems. */
  readonly path: string;
}

/** One function of the SDK, such as sum: what states it needs, and which number is finished from them. */
export interface AggregateFunction {
  resolve(request: AggregateRequest): FinishAggregate;
  /** What its error from sample rates is made of: of the rows that have a value, or of their values too. Absent: it has none. */
  readonly sampledBy?: "rows" | "values";
  /** The number of stored rows that comes beside it. */
  resolveRaw?(request: AggregateRequest): FinishAggregate;
}

export type AggregateFunctions = Readonly<Record<AggregateSpec["fn"], AggregateFunction>>;

/** What a rate is divided by, in milliseconds; null: it is no rate. */
export const perMsOf = ({ per }: AggregateSpec): number | null =>
  per === undefined ? null : rateUnitMs[per];

/** A state of the numbers of a column. */
export function stateOf(
  kind: "sum" | "min" | "max" | "histogram" | "squares",
  column: SchemaColumn,
): StateSpec {
  return { kind, column: column.name, decimals: column.decimals };
}

/** The column of numbers that the aggregate reads. Throws `type-mismatch` where it has others. */
export function intColumn(
  { spec, table, path }: AggregateRequest,
  wanted = "numbers",
): SchemaColumn {
  const column = findColumn(table, spec.column ?? "", `${path}.column`);
  if (column.type === "int") return column;
  throw typeMismatch(
    `${path}.column`,
    `${spec.fn} needs a column of ${wanted}; ${describeColumn(column)} is none.`,
  );
}

/** The order by numbers that add up: counts and sums, as their states are. */
export const rankByState = ({ stateIndex }: FinishValue): RankBy => ({ kind: "state", stateIndex });

/** The order by numbers that are finished from states. */
export const rankByValue = (value: FinishValue): RankBy => ({ kind: "value", value });

type Described = Pick<FinishAggregate, "name" | "value" | "rankBy">;

/** A whole number without a unit, or its rate. */
export function countColumn(of: Described): FinishAggregate {
  const isRate = "perMs" in of.value && of.value.perMs !== null;
  const type = isRate ? "float" : "int";
  return { ...of, type, decimals: 0, unit: undefined, spreadIndex: null, compared: numberParts };
}

/** A double, in the unit of the column. */
export function floatColumn(of: Described, column: SchemaColumn): FinishAggregate {
  const { decimals } = column;
  const unit = unitOfColumn(column.name);
  return { ...of, type: "float", decimals, unit, spreadIndex: null, compared: numberParts };
}

/** Whole numbers and decimals, digit by digit; one of the values of a column of times is a time. */
export function exactColumn(
  of: Described,
  column: SchemaColumn,
  { isOneOfTheValues }: { readonly isOneOfTheValues: boolean },
): FinishAggregate {
  const { decimals } = column;
  const number = decimals > 0 ? "decimal" : "int";
  const type: ResultType = isOneOfTheValues && column.name === timeColumn ? "time" : number;
  const unit = unitOfColumn(column.name);
  return { ...of, type, decimals, unit, spreadIndex: null, compared: numberParts };
}
