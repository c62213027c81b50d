import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../problem/problemList.js";
import { bucketEdgesMax, elementGroupsMax, groupByMax } from "../query.js";
import { timeColumn } from "../schema.js";
import { whyInvalidCalendarLength } from "../time/calendarLength.js";
import { checkName } from "./checkFilter.js";

/** Checks the groups; the names of their result columns. */
export function checkGroupBy(value: unknown, problems: ProblemList): string[] {
  const names: string[] = [];
  const list = checkList(value, "groupBy", groupByMax, problems) ?? [];
  let elementGroups = 0;
  list.forEach((group, i) => {
    const path = `groupBy[${i}]`;
    if (typeof group === "string") {
      if (checkName(group, path, problems)) names.push(group);
      return;
    }
    const object = checkObject(group, path, problems);
    if (object === null) return;
    const name = checkGroup(object, path, problems);
    if (name !== null) names.push(name);
    if (object.element !== undefined) elementGroups += 1;
  });
  if (elementGroups > elementGroupsMax) {
    problems.add(
      "groupBy",
      "too-many",
      `More than ${elementGroupsMax} groups by elements (elementGroupsMax).`,
    );
  }
  return names;
}

/** Name of the group's result column; null when it has none to speak of. */
function checkGroup(group: JsonObject, path: string, problems: ProblemList): string | null {
  if (group.as !== undefined) {
    const name = checkGroupKind(group, path, problems);
    return checkName(group.as, joinPath(path, "as"), problems) && name !== null ? group.as : null;
  }
  return checkGroupKind(group, path, problems);
}

/** The name that a group's result column has by default. */
function checkGroupKind(group: JsonObject, path: string, problems: ProblemList): string | null {
  if (group.bucket !== undefined) {
    checkKeys(group, path, ["bucket", "scale", "width", "edges", "as"], problems);
    checkBuckets(group, path, problems);
    return checkColumnOf(group, "bucket", path, problems);
  }
  for (const kind of ["element", "column"] as const) {
    if (group[kind] === undefined) continue;
    checkKeys(group, path, [kind, "as"], problems);
    return checkColumnOf(group, kind, path, problems);
  }
  checkKeys(group, path, ["time", "bucket", "element", "column", "as"], problems);
  const fault = whyInvalidCalendarLength(group.time);
  if (fault !== null) problems.add(joinPath(path, "time"), fault.code, fault.detail);
  return timeColumn;
}

function checkColumnOf(
  group: JsonObject,
  kind: "bucket" | "element" | "column",
  path: string,
  problems: ProblemList,
): string | null {
  const name = group[kind];
  return checkName(name, joinPath(path, kind), problems) ? name : null;
}

function checkBuckets(group: JsonObject, path: string, problems: ProblemList): void {
  const { scale, width, edges } = group;
  if (scale !== undefined && scale !== "linear" && scale !== "log") {
    const detail = `A scale is "linear" or "log"; found ${kindOf(scale)}.`;
    problems.add(joinPath(path, "scale"), "type-mismatch", detail);
    return;
  }
  const ways = [scale === "log", width !== undefined, edges !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    const code = ways === 0 ? "missing" : "ambiguous";
    problems.add(path, code, `A bucket has one of a width, edges, or the scale "log".`);
    return;
  }
  if (width !== undefined) {
    const wide = boundOf(width);
    if (wide === null || wide <= 0) {
      const detail = `A width is a number above 0; found ${kindOf(width)}.${digitsLost(width)}`;
      problems.add(joinPath(path, "width"), "out-of-range", detail);
    }
  }
  if (edges !== undefined) checkEdges(edges, joinPath(path, "edges"), problems);
}

function checkEdges(value: unknown, path: string, problems: ProblemList): void {
  const edges = checkList(value, path, bucketEdgesMax, problems);
  if (edges === null) return;
  if (edges.length === 0) problems.add(path, "missing", "Buckets need at least one edge.");
  const bounds = edges.map(boundOf);
  for (const [i, bound] of bounds.entries()) {
    const before = bounds[i - 1] ?? null;
    if (bound === null) {
      const detail = `An edge is a number; found ${kindOf(edges[i])}.${digitsLost(edges[i])}`;
      problems.add(`${path}[${i}]`, "type-mismatch", detail);
    } else if (before !== null && before >= bound) {
      problems.add(`${path}[${i}]`, "out-of-range", "Each edge is above the one before.");
    }
  }
}

/**
 * Numbers that a double represents as they were written, and integers in decimal strings; null: neither.
 */
function boundOf(value: unknown): number | bigint | null {
  if (typeof value === "string") return /^-?\d{1,19}$/.test(value) ? BigInt(value) : null;
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return !Number.isInteger(value) || Number.isSafeInteger(value) ? value : null;
}

function digitsLost(value: unknown): string {
  const isLarge = typeof value === "number" && Number.isFinite(value);
  return isLarge && boundOf(value) === null
    ? " Beyond 2^53 it may have lost digits: write it as a decimal string."
    : "";
}
