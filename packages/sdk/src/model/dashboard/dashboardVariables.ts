import type { ColumnFilter, Filter, FilterOperator, FilterValue } from "../filter.js";

/** The values of a board's variables by name; null: all. */
export type VariableValues = ReadonlyMap<string, readonly FilterValue[] | null>;

export interface FiltersWithVariables {
  /** Without the conditions of variables that have all values. */
  readonly filters: readonly Filter[];
  /** Variables that the filters name, each once. */
  readonly used: readonly string[];
  /** Names that look like variables and are none of the board. */
  readonly unknown: readonly string[];
}

/** What a value names: `$service` in a filter, `$service` within a title. */
const wholeReference = /^\$([\p{L}_][\p{L}\p{N}_.-]*)$/u;
const textReference = /\$\$|\$([\p{L}_][\p{L}\p{N}_]*)/gu;

/**
 * The filters of a tile with the board's variables in their place: a value `$service` stands for
 * the values of the variable `service`. With several values `=` becomes `in` and `!=` `not in`;
 * other comparisons hold for any of them. A condition on a variable that has all values is left
 * out. `$$service` is the text `$service`.
 */
export function filtersWithVariables(
  filters: readonly Filter[],
  values: VariableValues,
): FiltersWithVariables {
  const used = new Set<string>();
  const unknown = new Set<string>();
  const named = (value: FilterValue): NamedValues => {
    const name = referenceOf(value, values);
    if (name === null) return { values: [unescaped(value)] };
    used.add(name);
    const known = values.get(name);
    if (known === undefined) unknown.add(name);
    return { values: known === undefined ? [] : known };
  };
  const replaced = filters.flatMap((filter) => replacedFilter(filter, named) ?? []);
  return { filters: replaced, used: [...used], unknown: [...unknown] };
}

/** A title with the values of the variables that it names; `$$` is a dollar sign. */
export function textWithVariables(text: string, values: VariableValues): string {
  return text.replaceAll(textReference, (found, name?: string) => {
    if (name === undefined) return "$";
    const known = values.get(name);
    if (known === undefined) return found;
    return known === null ? "all" : known.map(String).join(", ");
  });
}

/** null: all values. */
interface NamedValues {
  readonly values: readonly FilterValue[] | null;
}

type Named = (value: FilterValue) => NamedValues;

/** The variable that a value names; null: it is a value. */
function referenceOf(value: FilterValue, values: VariableValues): string | null {
  if (typeof value !== "string" || !value.startsWith("$") || value.startsWith("$$")) return null;
  const name = value.slice(1);
  return values.has(name) ? name : (wholeReference.exec(value)?.[1] ?? null);
}

const unescaped = (value: FilterValue): FilterValue =>
  typeof value === "string" && value.startsWith("$$") ? value.slice(1) : value;

/** null: it holds for every row. */
function replacedFilter(filter: Filter, named: Named): Filter | null {
  if ("not" in filter) {
    const inner = replacedFilter(filter.not, named);
    return inner === null ? null : { not: inner };
  }
  if ("all" in filter) {
    const parts = filter.all.flatMap((one) => replacedFilter(one, named) ?? []);
    return parts.length === 0 && filter.all.length > 0 ? null : { all: parts };
  }
  if ("any" in filter) {
    const parts = filter.any.map((one) => replacedFilter(one, named));
    return parts.every((one) => one !== null) ? { any: parts } : null;
  }
  return replacedCondition(filter, named);
}

function replacedCondition(filter: ColumnFilter, named: Named): Filter | null {
  const { value } = filter;
  if (value === undefined) return filter;
  if (isList(value)) {
    const parts = value.map((one) => named(one).values);
    const isAll = parts.some((one) => one === null);
    return isAll ? null : { ...filter, value: parts.flatMap((one) => one ?? []) };
  }
  const { values } = named(value);
  if (values === null) return null;
  const [first] = values;
  if (values.length === 1 && first !== undefined) return { ...filter, value: first };
  return ofSeveral(filter, values);
}

const listForms: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  "=": "in",
  "!=": "not in",
};

function ofSeveral(filter: ColumnFilter, values: readonly FilterValue[]): Filter {
  const op = listForms[filter.op];
  if (op !== undefined) return { ...filter, op, value: values };
  const each = values.map((value) => ({ ...filter, value }));
  return filter.op === "!~" ? { all: each } : { any: each };
}

const isList = (value: FilterValue | readonly FilterValue[]): value is readonly FilterValue[] =>
  Array.isArray(value);
