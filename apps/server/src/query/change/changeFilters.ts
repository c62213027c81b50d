import type { ChangedValue, Filter, FilterValue } from "@hadal/sdk";

/** Conditions that hold for exactly the rows that have a value, and for exactly those that do not. */
export interface ValueFilters {
  readonly filter: Filter;
  readonly exclude: Filter;
}

/** Bounds of ranges exactly, where a number would lose digits. */
export interface ExactRange {
  readonly from: FilterValue | null;
  readonly to: FilterValue | null;
}

/** `hasMissing`: rows without a value count among those that do not have this one. */
export function filtersOf(
  column: string,
  is: ChangedValue,
  hasMissing: boolean,
  range: ExactRange | null = null,
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

/** Of several filters at once: rows that pass all, and rows that fail one. */
export function bothFilters(first: ValueFilters, second: ValueFilters): ValueFilters {
  return {
    filter: { all: [first.filter, second.filter] },
    exclude: { any: [first.exclude, second.exclude] },
  };
}
