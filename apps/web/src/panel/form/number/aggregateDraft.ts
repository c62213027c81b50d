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
} from "../../../query/number/aggregate.js";
import { numberName } from "../../../query/number/labels.js";

/** The fields of the aggregate editor, as typed. */
export interface AggregateDraft {
  /** A built-in function, or `function:` and the name of a saved one. */
  readonly fn: string;
  readonly column: string;
  readonly columns: readonly string[];
  readonly p: string;
  readonly per: string;
  readonly as: string;
  /** The condition on rows; null: all rows. */
  readonly where: Filter | null;
}

export type AggregateResult =
  | { readonly ok: true; readonly spec: Aggregate }
  | { readonly ok: false; readonly reason: string };

const savedPrefix = "function:";

export const savedFn = (name: string): string => `${savedPrefix}${name}`;
export const isSavedFn = (fn: string): boolean => fn.startsWith(savedPrefix);
/** Whether the values add up over time; unknown for saved functions. */
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

/** `count.raw` and saved functions have no condition of their own. */
export const takesCondition = (fn: string): boolean => fn !== "count.raw" && !isSavedFn(fn);

/** Count, distinct and saved functions take any column; other functions take numbers. */
export function takesColumn(fn: string, column: ColumnInfo): boolean {
  if (column.name === timeColumn) return false;
  return fn === "count" || fn === "distinct" || isSavedFn(fn) || column.type === "int";
}

/** The chosen column if the function takes it, else the best guess. */
export function chosenColumn(draft: AggregateDraft, columns: readonly ColumnInfo[]): string {
  const taken = columns.filter((column) => takesColumn(draft.fn, column));
  if (taken.some(({ name }) => name === draft.column)) return draft.column;
  if (draft.fn === "count" || draft.fn === "count.raw") return "";
  // Prefer a column with a unit over an id; for distinct prefer a string.
  const isGuess = ({ unit, type }: ColumnInfo): boolean =>
    draft.fn === "distinct" ? type === "string" : unit !== undefined;
  return (taken.find(isGuess) ?? taken[0])?.name ?? "";
}

/** The aggregate of the draft, or the reason why it is invalid. */
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
    return { ok: false, reason: "A percentile must be between 0 and 100." };
  }
  const column = chosenColumn(draft, columns);
  if (column === "" && fn !== "count" && fn !== "count.raw") {
    return { ok: false, reason: "This table has no column for this function." };
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
  return { ok: false, reason: `“${name}” already exists: choose a different name.` };
}
