import type { Having, OrderBy } from "../../model/query.js";
import { literalOf, withoutParens } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { CompareNode, CompareOp, IsNode, Node, OrderItem } from "../base/syntax.js";
import {
  aggregateCall,
  findAggregate,
  lowerAggregate,
  ordinalOf,
  savedCall,
} from "./lowerAggregate.js";
import { calculatedColumn, groupNameOf } from "./lowerCalculation.js";
import { columnOf } from "./lowerExpression.js";
import type { Lowering } from "./lowering.js";
import type { Selection } from "./selection.js";

/** Lowers ORDER BY: result columns by name, ordinal, or what they are made of. */
export function lowerOrder(
  items: readonly OrderItem[],
  selected: Selection,
  lowering: Lowering,
): readonly OrderBy[] {
  return items.map(({ expression, desc, nulls }, i) => {
    lowering.mark(`orderBy[${i}]`, expression.at);
    lowering.mark(`orderBy[${i}].by`, expression.at);
    const by = resultColumn(expression, selected, lowering);
    const order = desc ? { by, desc } : { by };
    // Missing values are last when ascending and first when descending by default.
    return nulls === null || (nulls === "first") === desc ? order : { ...order, nulls };
  });
}

/** Lowers HAVING: comparisons of result columns that must all hold. */
export function lowerHaving(
  node: Node,
  selected: Selection,
  lowering: Lowering,
): readonly Having[] {
  const having: Having[] = [];
  for (const part of conjuncts(node)) {
    const path = `having[${having.length}]`;
    lowering.mark(path, part.at);
    if (part.kind === "between" && !part.negated) {
      const { operand, low, high } = part;
      having.push(oneHaving({ target: operand, op: ">=", value: low }, path, selected, lowering));
      const next = `having[${having.length}]`;
      having.push(oneHaving({ target: operand, op: "<=", value: high }, next, selected, lowering));
    } else if (part.kind === "compare" && isWithValue(part)) {
      having.push(oneHaving(targetFirst(part), path, selected, lowering));
    } else if (part.kind === "is" && isOfPresence(part)) {
      lowering.mark(`${path}.column`, part.operand.at);
      const column = groupColumn(part.operand, selected, lowering);
      const isPresent = (part.what === "present") !== part.negated;
      having.push({ column, op: isPresent ? "is present" : "is missing" });
    } else {
      // Any other condition becomes a calculated column that is not shown.
      lowering.mark(`${path}.column`, part.at);
      having.push({ column: calculatedColumn(part, null, selected, lowering), ...holds });
    }
  }
  return having;
}

/** Calculated conditions are texts. */
const holds = { op: "=", value: "true" } as const;

function isWithValue({ operand, right }: CompareNode): boolean {
  return [operand, right].some((side) => {
    const value = literalOf(side);
    return value !== null && typeof value !== "boolean";
  });
}

const isOfPresence = ({ what }: IsNode): boolean =>
  what === "null" || what === "missing" || what === "present";

function conjuncts(node: Node): readonly Node[] {
  const inner = withoutParens(node);
  return inner.kind === "and" ? inner.operands.flatMap(conjuncts) : [inner];
}

const flipped: Readonly<Record<CompareOp, CompareOp>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** A result column and what it is compared with. */
interface Comparison {
  readonly target: Node;
  readonly op: CompareOp;
  readonly value: Node;
}

/** The comparison with the column on its left. */
function targetFirst({ operand, op, right }: CompareNode): Comparison {
  return literalOf(operand) === null
    ? { target: operand, op, value: right }
    : { target: right, op: flipped[op], value: operand };
}

function oneHaving(
  { target, op, value: node }: Comparison,
  path: string,
  selected: Selection,
  lowering: Lowering,
): Having {
  lowering.mark(`${path}.column`, target.at);
  lowering.mark(`${path}.value`, node.at);
  const column = groupColumn(target, selected, lowering);
  const value = literalOf(node);
  if (value === null || typeof value === "boolean") {
    return refuse(node.at, "type-mismatch", "HAVING compares with a number or a text.");
  }
  return { column, op, value: typeof value === "bigint" ? value.toString() : value };
}

/**
 * Name of the result column that a condition means: a grouped column comes before an alias of the
 * same name.
 */
function groupColumn(node: Node, selected: Selection, lowering: Lowering): string {
  const inner = withoutParens(node);
  const group = inner.kind === "name" ? groupNameOf(inner, selected, lowering) : null;
  return group ?? resultColumn(node, selected, lowering);
}

/** Name of the result column that a node means. */
function resultColumn(node: Node, selected: Selection, lowering: Lowering): string {
  const ordinal = ordinalOf(node);
  if (ordinal !== null) {
    const name = selected.itemNames[ordinal - 1];
    if (name !== undefined) return name;
    const count = selected.itemNames.length;
    return refuse(node.at, "out-of-range", `SELECT has ${count} items; found ${ordinal}.`);
  }
  const inner = withoutParens(node);
  const isName = inner.kind === "name";
  if (isName && selected.itemNames.includes(inner.value)) return inner.value;
  const call = aggregateCall(node);
  if (call !== null) {
    const name = selected.nameOf(lowerAggregate(call, "", lowering.trial()));
    if (name !== null) return name;
    refuseWithoutGroups(node, selected);
    return selected.nameOfNeeded(lowerAggregate(call, "", lowering), node.at, lowering);
  }
  if (findAggregate(node) !== null) {
    refuseWithoutGroups(node, selected);
    return calculatedColumn(node, null, selected, lowering);
  }
  const group = groupNameOf(inner, selected, lowering);
  if (group !== null) return group;
  const saved = savedCall(inner);
  if (saved !== null && isGrouped(selected)) {
    return selected.nameOfNeeded(lowerAggregate(saved, "", lowering), node.at, lowering);
  }
  if (isName) return inner.value;
  // Raw rows are ordered by any expression.
  if (!isGrouped(selected)) return columnOf(inner, lowering);
  const detail = "This is neither selected nor grouped by: name a result column.";
  return refuse(node.at, "unknown-result-column", detail);
}

/** Raw rows have no aggregates to be ordered by. */
function refuseWithoutGroups(node: Node, selected: Selection): void {
  if (isGrouped(selected)) return;
  const detail = "The query asks for raw rows: select an aggregate too, or group by something.";
  refuse(node.at, "unknown-result-column", detail);
}

function isGrouped({ groups, aggregates }: Selection): boolean {
  return groups.length > 0 || aggregates.length > 0;
}
