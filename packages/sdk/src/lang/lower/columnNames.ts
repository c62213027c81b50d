import { withoutParens } from "../base/literal.js";
import type { Node, SelectItem, Statement } from "../base/syntax.js";
import { aggregateCall } from "./lowerAggregate.js";

/**
 * Names that the statement surely uses for columns: what aggregates take, what it filters by and
 * derives, and what an item is made of that is called so itself. A name that is an alias too means
 * the column in GROUP BY and HAVING, as PostgreSQL has it; whether the table has further ones is
 * not known here.
 */
export function columnNames({ items, where, derive }: Statement): ReadonlySet<string> {
  const names = new Set(derive.map(({ as }) => as.value));
  addNames(where, names);
  addNames(derive, names);
  for (const item of items) addOwn(item, names);
  return names;
}

function addOwn({ expression, alias }: SelectItem, names: Set<string>): void {
  addAggregated(expression, names);
  const inner = withoutParens(expression);
  // A column that is selected under its own name says no more than its alias does.
  if (inner.kind === "name" && inner.value !== alias?.value) names.add(inner.value);
  if (alias === null || inner.kind === "name") return;
  const own = new Set<string>();
  addNames(expression, own);
  if (own.has(alias.value)) names.add(alias.value);
}

/** The columns of the aggregates within. */
function addAggregated(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) for (const one of part) addAggregated(one, names);
  else if (typeof part === "object" && part !== null) {
    if (isNode(part) && aggregateCall(part) !== null) addNames(part, names);
    else for (const one of Object.values(part)) addAggregated(one, names);
  }
}

function addNames(part: unknown, names: Set<string>): void {
  if (Array.isArray(part)) for (const one of part) addNames(one, names);
  else if (typeof part === "object" && part !== null) {
    if (isNode(part) && part.kind === "name") names.add(part.value);
    else for (const one of Object.values(part)) addNames(one, names);
  }
}

function isNode(part: object): part is Node {
  return "kind" in part && "at" in part;
}
