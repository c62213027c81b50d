import { testList } from "../../../test/oracle/naive/naiveListFilter.js";
import type { OracleRow, OracleValue } from "../../../test/oracle/table/oracleTable.js";
import { compareCodePoints } from "../../../test/oracle/table/oracleTable.js";
import type { ResolvedFilter } from "../query/resolvedQuery.js";

/** Whether a row passes, straight from the contract: what leaves must select. */
export function passesFilter(filter: ResolvedFilter, row: OracleRow): boolean {
  if (filter.kind === "all") return filter.filters.every((part) => passesFilter(part, row));
  if (filter.kind === "any") return filter.filters.some((part) => passesFilter(part, row));
  if (filter.kind === "otherwise") return !passesFilter(filter.filter, row);
  const value = filter.column === "time" ? BigInt(row.timeMs) : row.values.get(filter.column);
  if (filter.kind === "present") return (value !== undefined) !== filter.negated;
  return value !== undefined && holds(filter, value) !== filter.negated;
}

function holds(
  filter: Exclude<ResolvedFilter, { kind: "all" | "any" | "otherwise" | "present" }>,
  value: Exclude<OracleValue, null>,
): boolean {
  switch (filter.kind) {
    case "range":
      return BigInt(filter.low) <= (value as bigint) && (value as bigint) <= BigInt(filter.high);
    case "ints":
    case "strings":
      return filter.values.includes(String(value));
    case "order": {
      const order = compareCodePoints(String(value), filter.value);
      const isLess = filter.op.startsWith("<") ? order < 0 : order > 0;
      return isLess || (filter.op.endsWith("=") && order === 0);
    }
    case "contains":
      return String(value).includes(filter.needle);
    case "match":
      return new RegExp(filter.pattern, "u").test(String(value));
    case "empty":
      return (value as readonly string[]).length === 0;
    case "includes": {
      const list = value as readonly string[];
      const quantifier = filter.every ? "every" : "some";
      return filter.values[quantifier]((element) => list.includes(element));
    }
    case "sequence":
      return testList(
        filter.at === "start"
          ? "starts with"
          : filter.at === "end"
            ? "ends with"
            : "contains sequence",
        value as readonly string[],
        filter.values,
      );
  }
}
