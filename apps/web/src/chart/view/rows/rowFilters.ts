import type { Filter, ResultColumn, ResultValue } from "@hadal/sdk";
import { isTexts, isTimeColumn } from "../../kit/rows/rowColumns.js";

/** The filter for rows with this value; null: none (times are zoomed into). */
export function filterOfValue(value: ResultValue, column: ResultColumn): Filter | null {
  const { name } = column;
  if (isTimeColumn(column)) return null;
  if (value === null) return { column: name, op: "is missing" };
  if (isTexts(value)) {
    return value.length === 0 ? { column: name, op: "is empty" } : wholeList(value, column);
  }
  if (typeof value === "object") return null;
  return { column: name, op: "=", value: typeof value === "bigint" ? String(value) : value };
}

/** The filter in words: for a list it matches more than equal lists. */
export function whatIsAsked(value: ResultValue, { type }: ResultColumn): string {
  if (value === null || !isTexts(value) || value.length === 0) return "this";
  return type === "vector" ? "what begins so" : "what has all of these";
}

/** The rows whose list has this element. */
export const filterOfElement = (element: string, column: ResultColumn): Filter => ({
  column: column.name,
  op: "includes any",
  value: [element],
});

/** A stack is matched from its start; a set by all of its elements. */
const wholeList = (value: readonly string[], { name, type }: ResultColumn): Filter => ({
  column: name,
  op: type === "vector" ? "starts with" : "includes all",
  value,
});
