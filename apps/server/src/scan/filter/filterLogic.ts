import type { SegmentFilter } from "../task/scanTask.js";

export const every: SegmentFilter = { op: "every" };
export const none: SegmentFilter = { op: "none" };

/** Rows that pass all of these. */
export function allOf(parts: readonly SegmentFilter[]): SegmentFilter {
  if (parts.some(({ op }) => op === "none")) return none;
  const rest = parts.filter(({ op }) => op !== "every");
  return rest.length === 0 ? every : rest.length === 1 ? rest[0]! : { op: "all", filters: rest };
}

/** The rows that do not pass, and those for which the filter is unknown. */
export function otherwise(filter: SegmentFilter): SegmentFilter {
  if (filter.op === "every") return none;
  if (filter.op === "none") return every;
  return filter.op === "otherwise" ? filter.filter : { op: "otherwise", filter };
}

/** Rows that pass one of these. */
export function anyOf(parts: readonly SegmentFilter[]): SegmentFilter {
  if (parts.some(({ op }) => op === "every")) return every;
  const rest = parts.filter(({ op }) => op !== "none");
  return rest.length === 0 ? none : rest.length === 1 ? rest[0]! : { op: "any", filters: rest };
}
