import { type AggregateSpec, aggregateName, type FunctionAggregate } from "../model/aggregate.js";
import type { GroupBy } from "../model/query.js";
import { withoutParens } from "./literal.js";
import {
  aggregateCall,
  findAggregate,
  lowerAggregate,
  ordinalOf,
  savedCall,
} from "./lowerAggregate.js";
import { defaultGroupName, type LoweredGroup, lowerGroup } from "./lowerGroup.js";
import type { Lowering } from "./lowering.js";
import { refuse, refuseUnsupported } from "./sqlFault.js";
import type { Name, Node, SelectItem, Statement } from "./syntax.js";

/** What SELECT and GROUP BY ask for, and what each result column is called. */
export interface Selected {
  readonly groups: readonly NamedGroup[];
  readonly aggregates: readonly (AggregateSpec | FunctionAggregate)[];
  /** Names of the result columns of the selected items, in their order. */
  readonly itemNames: readonly string[];
  readonly timeZone: LoweredGroup["timeZone"];
}

export interface NamedGroup {
  readonly group: Exclude<GroupBy, string>;
  readonly name: string;
}

/** Whether a statement asks for groups; else it asks for raw rows. */
export function isGrouped({ items, groupBy }: Statement): boolean {
  if (groupBy.length > 0 || items.length === 0) return true;
  return items.some(({ expression }) => findAggregate(expression) !== null);
}

/** Groups in the order of SELECT, then those that are only grouped by; aggregates in the order of SELECT. */
export function lowerSelect(statement: Statement, lowering: Lowering): Selected {
  const { items, groupBy } = statement;
  const grouped = groupBy.map((node) => groupItem(node, items));
  const found: { group: LoweredGroup; key: string; alias: Name | null }[] = [];
  const aggregates: (AggregateSpec | FunctionAggregate)[] = [];
  const itemNames: string[] = [];

  const addGroup = (node: Node, alias: Name | null): string => {
    const path = `groupBy[${found.length}]`;
    const group = lowerGroup(node, path, lowering);
    if (alias !== null) lowering.mark(`${path}.as`, alias.at);
    found.push({ group, key: JSON.stringify(group.group), alias });
    return alias?.value ?? defaultGroupName(group.group);
  };
  const groupKeys = grouped.map(({ node }) => keyOf(node, lowering));
  for (const item of items) {
    const { expression, alias } = item;
    const isGroup = (): boolean =>
      grouped.some((group) => group.item === item) ||
      groupKeys.includes(keyOf(expression, lowering));
    const saved = savedCall(expression);
    const call = aggregateCall(expression) ?? (saved !== null && !isGroup() ? saved : null);
    if (call !== null) {
      const path = `aggregates[${aggregates.length}]`;
      const spec = lowerAggregate(call, path, lowering);
      if (alias !== null) lowering.mark(`${path}.as`, alias.at);
      aggregates.push(alias === null ? spec : { ...spec, as: alias.value });
      itemNames.push(aggregateName(aggregates.at(-1)!));
      continue;
    }
    refuseCalculation(expression);
    if (!isGroup()) refuseUngrouped(expression);
    itemNames.push(addGroup(expression, alias));
  }
  for (const [i, { node, item }] of grouped.entries()) {
    if (item !== null || found.some(({ key }) => key === groupKeys[i])) continue;
    addGroup(node, null);
  }
  const zones = found.map(({ group }) => group.timeZone);
  return {
    groups: found.map(({ group: { group }, alias }) => ({
      group: named(group, alias),
      name: alias?.value ?? defaultGroupName(group),
    })),
    aggregates,
    itemNames,
    timeZone: zones.find((zone) => zone !== null) ?? null,
  };
}

function named(group: Exclude<GroupBy, string>, alias: Name | null): Exclude<GroupBy, string> {
  return alias === null ? group : { ...group, as: alias.value };
}

/** What a term of GROUP BY stands for: a selected item by its ordinal or alias, or itself. */
function groupItem(
  node: Node,
  items: readonly SelectItem[],
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
  const item =
    inner.kind === "name" ? items.find(({ alias }) => alias?.value === inner.value) : undefined;
  if (item !== undefined) return expectNoAggregate(item.expression, node, item);
  return expectNoAggregate(node, node, null);
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

/** What tells groups apart: the same group is written in many ways. */
function keyOf(node: Node, lowering: Lowering): string {
  return JSON.stringify(lowerGroup(node, "", lowering.trial()).group);
}

function refuseCalculation(expression: Node): void {
  const inside = findAggregate(expression);
  if (inside === null) return;
  const advice = "Select each aggregate by itself, or take avg, a rate (PER MINUTE) or stddev.";
  refuseUnsupported(expression.at, "calculations with aggregates", advice);
}

function refuseUngrouped(expression: Node): never {
  const inner = withoutParens(expression);
  if (inner.kind === "star") {
    return refuse(
      inner.at,
      "syntax",
      "* asks for raw rows, which have no GROUP BY and no aggregates.",
    );
  }
  const what = inner.kind === "name" ? inner.value : "This";
  return refuse(
    expression.at,
    "not-grouped",
    `${what} must stand in GROUP BY, or in an aggregate such as max(…).`,
  );
}
