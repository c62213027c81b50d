import type { Filter } from "@hadal/sdk";
import type { GroupCell } from "../answer/intent.js";

/** Rows whose list has the element, or that have no list. */
export function filtersOfElement({ column, value }: GroupCell): Filter[] {
  if (value === null) return [{ column, op: "is missing" }];
  return [{ column, op: "includes any", value: [String(value)] }];
}
