import { filterLabel } from "../../../query/filter/operators.js";
import type { RowCondition } from "./seenTables.js";

/** `every row`, `country = DE and status ≥ 500, or country = FR`. */
export function rowsText(rows: readonly RowCondition[] | null): string {
  if (rows === null) return "every row";
  return rows.map((filters) => filters.map(filterLabel).join(" and ")).join(", or ");
}
