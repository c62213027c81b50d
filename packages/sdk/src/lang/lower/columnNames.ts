import { withoutParens } from "../base/literal.js";
import type { Node, SelectItem, Statement } from "../base/syntax.js";
import { aggregateCall } from "./lowerAggregate.js";

/**
 * Names that the statement certainly uses for columns: in aggregates, filters and derived columns,
 * and in an item with an alias of the same name. In GROUP BY and HAVING such a name means the column
 * rather than an alias, as in PostgreSQL.
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
  // A column that is selected under its own name is the same as its alias.
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
