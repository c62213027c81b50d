import {
  type AggregateFn,
  aggregateMeanings,
  type ColumnInfo,
  type Filter,
  type RateUnit,
  timeColumn,
} from "@hadal/sdk";
import {
  type Aggregate,
  aggregateOf,
  type BuiltIn,
  type Plain,
} from "../../../../query/number/aggregate.js";
import { numberName } from "../../../../query/number/labels.js";

/** What the editor of an aggregate holds, as typed. */
export interface AggregateDraft {
  /** A built-in one, or `function:` and the name of a saved one. */
  readonly fn: string;
  readonly column: string;
  readonly columns: readonly string[];
  readonly p: string;
  readonly per: string;
  readonly as: string;
  /** Which rows it is of; null: all. */
  readonly where: Filter | null;
}

export type AggregateResult =
  | { readonly ok: true; readonly spec: Aggregate }
  | { readonly ok: false; readonly reason: string };

const savedPrefix = "function:";

export const savedFn = (name: string): string => `${savedPrefix}${name}`;
export const isSavedFn = (fn: string): boolean => fn.startsWith(savedPrefix);
/** Whether it adds up over time; of saved functions it is unknown. */
export const isAdditiveFn = (fn: string): boolean =>
  Object.hasOwn(aggregateMeanings, fn) && aggregateMeanings[fn as AggregateFn].addsUp;

export function draftOf(spec: Plain): AggregateDraft {
  return {
    fn: spec.columns === undefined ? spec.fn : savedFn(spec.fn),
    column: spec.column ?? "",
    columns: spec.columns ?? [],
    p: String(spec.p ?? 95),
    per: spec.per ?? "",
    as: spec.as ?? "",
    where: spec.where ?? null,
  };
}

/** Stored rows are counted before any condition of a number's own, and a function sees all rows. */
export const takesCondition = (fn: string): boolean => fn !== "count.raw" && !isSavedFn(fn);

/** Counts and distinct values are of any column, the rest of numbers. */
export function takesColumn(fn: string, column: ColumnInfo): boolean {
  if (column.name === timeColumn) return false;
  return fn === "count" || fn === "distinct" || isSavedFn(fn) || column.type === "int";
}

/** The column in force: as chosen where the function takes it, else the best guess. */
export function chosenColumn(draft: AggregateDraft, columns: readonly ColumnInfo[]): string {
  const taken = columns.filter((column) => takesColumn(draft.fn, column));
  if (taken.some(({ name }) => name === draft.column)) return draft.column;
  if (draft.fn === "count" || draft.fn === "count.raw") return "";
  // A measure is the better guess than an id, except for counting ids.
  const isGuess = ({ unit, type }: ColumnInfo): boolean =>
    draft.fn === "distinct" ? type === "string" : unit !== undefined;
  return (taken.find(isGuess) ?? taken[0])?.name ?? "";
}

/** The aggregate that is described; says in words what is missing. */
export function readDraft(
  draft: AggregateDraft,
  columns: readonly ColumnInfo[],
  taken: readonly Aggregate[],
): AggregateResult {
  const { fn } = draft;
  const as = draft.as.trim();
  const named = as === "" ? {} : { as };
  if (isSavedFn(fn)) {
    const spec = { fn: fn.slice(savedPrefix.length), columns: draft.columns, ...named };
    return checked(aggregateOf(spec), taken);
  }
  const p = Number(draft.p);
  if (fn === "percentile" && !(p > 0 && p < 100)) {
    return { ok: false, reason: "A percentile lies between 0 and 100." };
  }
  const column = chosenColumn(draft, columns);
  if (column === "" && fn !== "count" && fn !== "count.raw") {
    return { ok: false, reason: "This table has no column for it." };
  }
  const spec: BuiltIn = {
    fn: fn as AggregateFn,
    ...(column !== "" && fn !== "count.raw" && { column }),
    ...(fn === "percentile" && { p }),
    ...(draft.per !== "" && isAdditiveFn(fn) && { per: draft.per as RateUnit }),
    ...(draft.where !== null && takesCondition(fn) && { where: draft.where }),
    ...named,
  };
  return checked(spec, taken);
}

function checked(spec: Aggregate, taken: readonly Aggregate[]): AggregateResult {
  const name = numberName(spec);
  if (!taken.some((other) => numberName(other) === name)) return { ok: true, spec };
  return { ok: false, reason: `“${name}” is shown already: give this one a name of its own.` };
}
