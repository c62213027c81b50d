import type { Expression } from "../../model/expression.js";
import { withoutParens } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { Name, Node } from "../base/syntax.js";
import { aggregateCall, lowerAggregate, savedCall } from "./lowerAggregate.js";
import { lowerExpression } from "./lowerExpression.js";
import { lowerGroup } from "./lowerGroup.js";
import type { Lowering, Place } from "./lowering.js";
import type { Selection } from "./selection.js";

/**
 * Name of the result column that is calculated as a node says: with aggregates, and with what is
 * grouped by.
 */
export function calculatedColumn(
  node: Node,
  alias: Name | null,
  selection: Selection,
  lowering: Lowering,
): string {
  const { expression, places } = lowerExpression(node, lowering, (part) =>
    resultOf(part, selection, lowering),
  );
  return selection.nameOfCalculated(expression, alias?.value ?? null, (path) => {
    markPlaces(path, node.at, places, lowering);
    if (alias !== null) lowering.mark(`${path}.as`, alias.at);
  });
}

function markPlaces(path: string, at: number, places: readonly Place[], lowering: Lowering): void {
  lowering.mark(path, at);
  for (const place of places) lowering.mark(`${path}.${place.path}`, place.at);
}

/** What a part of a calculation names by itself; null: it is made of parts. */
function resultOf(node: Node, selection: Selection, lowering: Lowering): Expression | null {
  const call = aggregateCall(node) ?? savedCall(node);
  if (call !== null) {
    const spec = lowerAggregate(call, "", lowering);
    return { column: selection.nameOfNeeded(spec, node.at, lowering) };
  }
  const inner = withoutParens(node);
  if (inner.kind === "number" || inner.kind === "string" || inner.kind === "constant") return null;
  const named = selection.groups.find(({ name }) => inner.kind === "name" && name === inner.value);
  // A column is what it is called, before what another is called here.
  const name = groupNameOf(inner, selection, lowering) ?? named?.name ?? null;
  if (name !== null) return { column: name };
  if (inner.kind !== "name") return null;
  const selected = selection.selectedAs(inner.value);
  if (selected !== null) return selected;
  return refuse(
    inner.at,
    "not-grouped",
    `${inner.value} must be in GROUP BY, or in an aggregate such as max(…).`,
  );
}

/** Name of the group that a node says the same as; null when there is none. */
export function groupNameOf(node: Node, selection: Selection, lowering: Lowering): string | null {
  const { group } = lowerForName(node, lowering);
  if (group === null) return null;
  const key = JSON.stringify(group);
  const same = selection.groups.filter(
    ({ group: { as: _, ...rest } }) => JSON.stringify(rest) === key,
  );
  // Of several the one that is called so, or the first.
  const inner = withoutParens(node);
  const own = inner.kind === "name" ? same.find(({ name }) => name === inner.value) : undefined;
  return (own ?? same[0])?.name ?? null;
}

/** What is no group, such as if(count(*) > 1, …), is none of these. */
function lowerForName(node: Node, lowering: Lowering) {
  try {
    return { group: lowerGroup(node, "", lowering.trial()).group };
  } catch {
    return { group: null };
  }
}
