import {
  type ColumnFilter,
  type ColumnInfo,
  type ColumnType,
  type Filter,
  type FilterOperator,
  type FilterValue,
  filterOperators,
} from "@hadal/sdk";
import { readNumber } from "./filterNumber.js";
import { conditionOf, excludedBy } from "./filterTree.js";

const operatorsOfType: Readonly<Record<ColumnType, readonly FilterOperator[]>> = {
  int: ["=", "!=", ">", ">=", "<", "<=", "in", "not in", "is present", "is missing"],
  string: ["=", "!=", "in", "not in", "contains", "~", "!~", "is present", "is missing"],
  set: ["includes any", "includes all", "includes none", "is empty", "is present", "is missing"],
  vector: [
    ...(["includes any", "includes all", "includes none", "starts with", "ends with"] as const),
    ...(["contains sequence", "is empty", "is present", "is missing"] as const),
  ],
};

const operatorText: Readonly<Partial<Record<FilterOperator, string>>> = {
  "!=": "≠",
  "<=": "≤",
  ">=": "≥",
  "~": "matches",
  "!~": "does not match",
};

/** What can be asked of a column of this type, of what the server answers. */
export function operatorsFor(type: ColumnType): readonly FilterOperator[] {
  return operatorsOfType[type].filter((op) => filterOperators.includes(op));
}

export const operatorLabel = (op: FilterOperator): string => operatorText[op] ?? op;

export const takesNoValue = (op: FilterOperator): boolean =>
  op === "is present" || op === "is missing" || op === "is empty";

/** Whether the values are a sequence: their order counts, and one may come twice. */
export const takesSequence = (op: FilterOperator): boolean =>
  op === "starts with" || op === "ends with" || op === "contains sequence";

const takesManyValues = (op: FilterOperator): boolean =>
  !["=", "!=", "<", "<=", ">", ">=", "~", "!~", "contains"].includes(op) && !takesNoValue(op);

/** `status ≥ 500`, `service in cart, checkout`, `service ≠ cart or missing`, `not (country = DE)`. */
export function filterLabel(filter: Filter): string {
  if ("any" in filter) return anyLabel(filter);
  if ("all" in filter) return `(${filter.all.map(partLabel).join(" and ")})`;
  if ("not" in filter) {
    const inner = filterLabel(filter.not);
    return inner.startsWith("(") ? `not ${inner}` : `not (${inner})`;
  }
  const head = `${filter.column} ${operatorLabel(filter.op)}`;
  const values = valuesOf(filter);
  return values.length === 0 ? head : `${head} ${values.map(valueLabel).join(", ")}`;
}

/** Rows that are left out are called by what they are: the conditions of all others are long. */
function anyLabel(filter: Extract<Filter, { any: unknown }>): string {
  const condition = conditionOf(filter);
  if (condition !== null) return `${filterLabel(condition)} or missing`;
  const excluded = excludedBy(filter) ?? [];
  if (excluded.length > 0) return `all but ${filterLabel({ all: excluded })}`;
  return `(${filter.any.map(partLabel).join(" or ")})`;
}

function partLabel(filter: Filter): string {
  const label = filterLabel(filter);
  return "any" in filter && !label.startsWith("(") ? `(${label})` : label;
}

export function valuesOf(filter: ColumnFilter): readonly FilterValue[] {
  if (filter.value === undefined) return [];
  return Array.isArray(filter.value) ? filter.value : [filter.value as FilterValue];
}

export type FilterDraft =
  | { readonly ok: true; readonly filter: ColumnFilter }
  | { readonly ok: false; readonly reason: string };

/** A filter from the typed text, or what it lacks, in words; `variables` may stand for any value. */
export function makeFilter(
  column: ColumnInfo,
  op: FilterOperator,
  texts: readonly string[],
  variables: readonly string[] = [],
): FilterDraft {
  if (takesNoValue(op)) return { ok: true, filter: { column: column.name, op } };
  const compared = column.type === "int" && op === "=" ? comparisonOf(texts) : null;
  if (compared !== null) return makeFilter(column, compared.op, [compared.text], variables);
  if (texts.length === 0) return { ok: false, reason: "Type or choose a value." };
  const values: FilterValue[] = [];
  for (const text of texts) {
    const isNumber = column.type === "int" && !variables.includes(text);
    const value = isNumber ? readNumber(column, text) : text;
    if (value === null) return { ok: false, reason: notNumber(column, text) };
    values.push(value);
  }
  const [first] = values;
  if (takesManyValues(op) || first === undefined) {
    return { ok: true, filter: { column: column.name, op, value: values } };
  }
  if (values.length === 1) return { ok: true, filter: { column: column.name, op, value: first } };
  const many = op === "=" ? "in" : op === "!=" ? "not in" : null;
  if (many === null) return { ok: false, reason: `${operatorLabel(op)} takes one value.` };
  return { ok: true, filter: { column: column.name, op: many, value: values } };
}

/** Typed text as values: a pasted list is split at commas and line ends. */
export function splitPasted(text: string): string[] {
  return text
    .split(/[,\n\r\t]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** `>=500`, typed as a number, also sets the operator. */
function comparisonOf(
  texts: readonly string[],
): { readonly op: FilterOperator; readonly text: string } | null {
  const [, sign, text] = /^\s*(>=|<=|!=|>|<)\s*(.+)$/.exec(texts[0] ?? "") ?? [];
  if (texts.length !== 1 || text === undefined) return null;
  const op = filterOperators.find((one) => one === sign);
  return op === undefined ? null : { op, text };
}

function notNumber({ decimals, unit }: ColumnInfo, text: string): string {
  const kind = decimals > 0 ? "number" : "whole number";
  return `“${text}” is not a ${kind}${unit === undefined ? "" : ` of ${unit}`}.`;
}

function valueLabel(value: FilterValue): string {
  const text = String(value);
  return text === "" || text.trim() !== text ? JSON.stringify(text) : text;
}
