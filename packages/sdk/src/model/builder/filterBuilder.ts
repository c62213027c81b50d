import type {
  AllFilter,
  AnyFilter,
  ColumnFilter,
  Filter,
  FilterOperator,
  FilterValue,
  NotFilter,
} from "../filter.js";

/** A condition that goes with `having` too, where its value is a number or a text. */
interface Comparison<Op, Value> {
  readonly column: string;
  readonly op: Op;
  readonly value: Value;
}

/**
 * A column that conditions are put on: `col("status").gte(500)`. Missing values pass none but
 * `isMissing`.
 */
export class FilterColumn {
  readonly #column: string;

  constructor(column: string) {
    this.#column = column;
  }

  eq<Value extends FilterValue>(value: Value): Comparison<"=", Value> {
    return this.#compare("=", value);
  }
  ne<Value extends FilterValue>(value: Value): Comparison<"!=", Value> {
    return this.#compare("!=", value);
  }
  lt<Value extends FilterValue>(value: Value): Comparison<"<", Value> {
    return this.#compare("<", value);
  }
  lte<Value extends FilterValue>(value: Value): Comparison<"<=", Value> {
    return this.#compare("<=", value);
  }
  gt<Value extends FilterValue>(value: Value): Comparison<">", Value> {
    return this.#compare(">", value);
  }
  gte<Value extends FilterValue>(value: Value): Comparison<">=", Value> {
    return this.#compare(">=", value);
  }
  in(...values: FilterValue[]): ColumnFilter {
    return this.#test("in", values);
  }
  notIn(...values: FilterValue[]): ColumnFilter {
    return this.#test("not in", values);
  }
  /** An RE2 pattern found anywhere in the text. */
  matches(pattern: string): ColumnFilter {
    return this.#test("~", pattern);
  }
  notMatches(pattern: string): ColumnFilter {
    return this.#test("!~", pattern);
  }
  contains(text: string): ColumnFilter {
    return this.#test("contains", text);
  }
  isMissing(): ColumnFilter {
    return { column: this.#column, op: "is missing" };
  }
  isPresent(): ColumnFilter {
    return { column: this.#column, op: "is present" };
  }
  includesAny(...values: FilterValue[]): ColumnFilter {
    return this.#test("includes any", values);
  }
  includesAll(...values: FilterValue[]): ColumnFilter {
    return this.#test("includes all", values);
  }
  includesNone(...values: FilterValue[]): ColumnFilter {
    return this.#test("includes none", values);
  }
  isEmpty(): ColumnFilter {
    return { column: this.#column, op: "is empty" };
  }
  startsWith(...values: FilterValue[]): ColumnFilter {
    return this.#test("starts with", values);
  }
  endsWith(...values: FilterValue[]): ColumnFilter {
    return this.#test("ends with", values);
  }
  /** Adjacent and in this order. */
  containsSequence(...values: FilterValue[]): ColumnFilter {
    return this.#test("contains sequence", values);
  }

  #compare<Op, Value>(op: Op, value: Value): Comparison<Op, Value> {
    return { column: this.#column, op, value };
  }

  #test(op: FilterOperator, value: FilterValue | readonly FilterValue[]): ColumnFilter {
    return { column: this.#column, op, value };
  }
}

export function col(name: string): FilterColumn {
  return new FilterColumn(name);
}

/** At least one holds. */
export function anyOf(...filters: Filter[]): AnyFilter {
  return { any: filters };
}

/** All hold. */
export function allOf(...filters: Filter[]): AllFilter {
  return { all: filters };
}

export function not(filter: Filter): NotFilter {
  return { not: filter };
}
