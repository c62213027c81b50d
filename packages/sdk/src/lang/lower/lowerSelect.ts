import { aggregateName } from "../../model/aggregate.js";
import { groupFunctions } from "../base/functions.js";
import { withoutParens } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { Name, Node, SelectItem, Statement } from "../base/syntax.js";
import { columnNames } from "./columnNames.js";
import {
  aggregateCall,
  findAggregate,
  lowerAggregate,
  ordinalOf,
  savedCall,
} from "./lowerAggregate.js";
import { calculatedColumn } from "./lowerCalculation.js";
import { defaultGroupName, lowerGroup } from "./lowerGroup.js";
import type { Lowering } from "./lowering.js";
import { Selection } from "./selection.js";

/** Whether a statement has groups; otherwise it reads raw rows. */
export function isGrouped({ items, groupBy }: Statement): boolean {
  if (groupBy.length > 0 || items.length === 0) return true;
  return items.some(({ expression }) => findAggregate(expression) !== null);
}

/** Groups in the order of GROUP BY; aggregates and calculations in that of SELECT. */
export function lowerSelect(statement: Statement, lowering: Lowering): Selection {
  const { items } = statement;
  const selection = new Selection();
  const names = lowerGroups(statement, selection, lowering);
  const waiting: SelectItem[] = [];
  for (const item of items) {
    if (names.has(item)) continue;
    const { expression, alias } = item;
    const call = aggregateCall(expression) ?? savedCall(expression);
    if (call === null) {
      if (withoutParens(expression).kind === "star") refuseStar(expression);
      waiting.push(item);
      continue;
    }
    const path = `aggregates[${selection.aggregates.length}]`;
    const spec = lowerAggregate(call, path, lowering);
    if (alias !== null) lowering.mark(`${path}.as`, alias.at);
    // What is selected twice has two columns.
    const own = aggregateName(spec);
    const as = alias?.value ?? selection.nextName(own);
    selection.aggregates.push(alias === null && as === own ? spec : { ...spec, as });
    names.set(item, as);
  }
  // What is not selected by itself must not take the name of what is.
  for (const { alias } of waiting) if (alias !== null) selection.itemNames.push(alias.value);
  for (const item of waiting) {
    const { expression, alias } = item;
    const name = calculatedColumn(expression, alias, selection, lowering);
    const isTaken = alias === null && [...names.values()].includes(name);
    const again = { at: expression.at, value: selection.nextName(name), quoted: true };
    names.set(item, isTaken ? calculatedColumn(expression, again, selection, lowering) : name);
  }
  selection.itemNames.length = 0;
  for (const [i, item] of items.entries()) {
    lowering.mark(`show[${i}]`, item.expression.at);
    selection.itemNames.push(names.get(item)!);
  }
  return selection;
}

/** Adds what rows are grouped by; gives the names of the selected items that are groups. */
function lowerGroups(
  statement: Statement,
  selection: Selection,
  lowering: Lowering,
): Map<SelectItem, string> {
  const { groupBy, items } = statement;
  const columns = columnNames(statement);
  const aliases = items.flatMap(({ alias }) => (alias === null ? [] : [alias.value]));
  const names = new Map<SelectItem, string>();
  const itemKeys = new Map<SelectItem, string>();
  for (const item of items) {
    if (findAggregate(item.expression) === null) {
      itemKeys.set(item, keyOf(item.expression, lowering));
    }
  }
  const keys = new Set<string>();
  const add = (node: Node, alias: Name | null): string => {
    const path = `groupBy[${selection.groups.length}]`;
    const { group, timeZone } = lowerGroup(node, path, lowering);
    if (alias !== null) lowering.mark(`${path}.as`, alias.at);
    const own = defaultGroupName(group);
    const name = alias?.value ?? selection.nextName(own, aliases);
    selection.groups.push({
      group: alias === null && name === own ? group : { ...group, as: name },
      name,
    });
    selection.timeZone ??= timeZone;
    return name;
  };
  const terms = groupBy.map((term) => groupItem(term, items, columns));
  const meant = new Set(terms.map(({ item }) => item));
  for (const { node, item } of terms) {
    const key = keyOf(node, lowering);
    const isFree = (one: SelectItem): boolean => itemKeys.get(one) === key && !meant.has(one);
    const selected = item ?? items.find((one) => isFree(one) && !names.has(one));
    if (selected === undefined) {
      if (!keys.has(key)) add(node, null);
    } else if (!names.has(selected)) {
      names.set(selected, add(selected.expression, selected.alias));
    }
    keys.add(key);
  }
  // What is selected once more, under another name.
  for (const item of items) {
    const key = itemKeys.get(item);
    if (key !== undefined && keys.has(key) && !names.has(item)) {
      names.set(item, add(item.expression, item.alias));
    }
  }
  return names;
}

/**
 * The meaning of a term of GROUP BY: a selected item by its ordinal, or by its alias where that is
 * no column; else the term itself.
 */
function groupItem(
  node: Node,
  items: readonly SelectItem[],
  columns: ReadonlySet<string>,
): { readonly node: Node; readonly item: SelectItem | null } {
  const ordinal = ordinalOf(node);
  if (ordinal !== null) {
    const item = items[ordinal - 1];
    if (item === undefined) {
      return refuse(node.at, "out-of-range", `SELECT has ${items.length} items; found ${ordinal}.`);
    }
    return expectNoAggregate(item.expression, node, item);
  }
  const inner = withoutParens(node);
  const called =
    inner.kind === "name" ? items.find(({ alias }) => alias?.value === inner.value) : undefined;
  // Buckets are nothing but groups: time_bucket('1h', time) AS time is what GROUP BY time means.
  const isColumn = inner.kind === "name" && columns.has(inner.value);
  const isAlias = called !== undefined && (!isColumn || makesGroups(called));
  // What is no column after all is refused as one.
  const item = isAlias && findAggregate(called.expression) === null ? called : undefined;
  if (item !== undefined) return expectNoAggregate(item.expression, node, item);
  return expectNoAggregate(node, node, null);
}

function makesGroups({ expression }: SelectItem): boolean {
  const inner = withoutParens(expression);
  if (inner.kind !== "call" || inner.quoted) return false;
  return (groupFunctions as readonly string[]).includes(inner.name.toLowerCase());
}

function expectNoAggregate(expression: Node, node: Node, item: SelectItem | null) {
  if (findAggregate(expression) !== null) {
    return refuse(
      node.at,
      "syntax",
      "Rows are not grouped by an aggregate: HAVING keeps groups by it.",
    );
  }
  return { node: expression, item };
}

/** A key that equal groups share, however they are written. */
function keyOf(node: Node, lowering: Lowering): string {
  return JSON.stringify(lowerGroup(node, "", lowering.trial()).group);
}

function refuseStar({ at }: Node): never {
  return refuse(at, "syntax", "* asks for raw rows, which have no GROUP BY and no aggregates.");
}
