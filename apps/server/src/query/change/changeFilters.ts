import type { ChangedValue, Filter, FilterValue } from "@hadal/sdk";

/** Filters for exactly the rows that have a value, and for exactly those that do not. */
export interface ValueFilters {
  readonly filter: Filter;
  readonly exclude: Filter;
}

/** Exact bounds of a range, where a number would lose digits. */
export interface ExactRange {
  readonly from: FilterValue | null;
  readonly to: FilterValue | null;
}

interface FilterOptions {
  /** Whether the column misses values: rows without a value belong to those that do not have this one. */
  readonly hasMissing: boolean;
  /** Exact bounds of a range; null: those of the value. */
  readonly range: ExactRange | null;
}

export function filtersOf(
  column: string,
  is: ChangedValue,
  { hasMissing, range }: FilterOptions,
): ValueFilters {
  const others = (...conditions: readonly Filter[]): Filter => {
    const any = hasMissing ? [...conditions, { column, op: "is missing" } as const] : conditions;
    const [only] = any;
    return any.length === 1 && only !== undefined ? only : { any };
  };
  if (is.kind === "element") {
    const value = [is.value];
    return {
      filter: { column, op: "includes any", value },
      exclude: others({ column, op: "includes none", value }),
    };
  }
  if (is.kind === "range") {
    const { from, to } = range ?? is;
    const within: Filter[] = [];
    const outside: Filter[] = [];
    if (from !== null) {
      within.push({ column, op: ">=", value: from });
      outside.push({ column, op: "<", value: from });
    }
    if (to !== null) {
      within.push({ column, op: "<", value: to });
      outside.push({ column, op: ">=", value: to });
    }
    const [only] = within;
    return {
      filter: within.length === 1 && only !== undefined ? only : { all: within },
      exclude: others(...outside),
    };
  }
  const { value } = is;
  if (value === null) {
    return { filter: { column, op: "is missing" }, exclude: { column, op: "is present" } };
  }
  return {
    filter: { column, op: "=", value },
    exclude: others({ column, op: "!=", value }),
  };
}

/** Both filters together: rows that pass both, and rows that fail at least one. */
export function bothFilters(first: ValueFilters, second: ValueFilters): ValueFilters {
  return {
    filter: { all: [first.filter, second.filter] },
    exclude: { any: [first.exclude, second.exclude] },
  };
}
