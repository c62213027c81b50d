import type { DerivedColumn, Query } from "../model/query.js";
import { functionName, nameOfExpression } from "./base/printExpression.js";
import { sameText } from "./base/sameText.js";
import { canonicalQuery } from "./print/canonicalQuery.js";
import { printStatement } from "./print/printStatement.js";
import { readStatement } from "./readSql.js";

/**
 * A query as SQL. Reading it gives back the query without its redundant parts: those at their
 * default, and empty lists.
 */
export function printSql(query: Query): string {
  const wanted = canonicalQuery(query);
  const { show } = wanted;
  // Derived columns are written where they are used, if they are then read in the same order; else
  // in DERIVE.
  const inPlace = (wanted.derive ?? []).filter(isNamedByItself);
  const places = new Map(inPlace.map((column) => [column.as, column]));
  const tries: (() => string)[] = [];
  // SELECT has only what is shown, if the same aggregates are then read in the same order.
  if (show !== undefined) {
    tries.push(
      () => printStatement(wanted, places, "shown"),
      () => printStatement(wanted, new Map(), "shown"),
    );
  }
  if (inPlace.length > 0) tries.push(() => printStatement(wanted, places, "all"));
  for (const attempt of tries) {
    const text = attempt();
    if (readsBackAs(text, wanted)) return text;
  }
  return printStatement(wanted, new Map(), "all");
}

function readsBackAs(text: string, wanted: Query): boolean {
  try {
    return sameText(readStatement(text).query) === sameText(wanted);
  } catch {
    // Something that is needed was left out, such as a group that a calculation names.
    return false;
  }
}

function isNamedByItself(column: DerivedColumn): boolean {
  if ("expression" in column) return column.as === nameOfExpression(column.expression);
  return "function" in column && column.as === functionName(column.function, column.args ?? []);
}
