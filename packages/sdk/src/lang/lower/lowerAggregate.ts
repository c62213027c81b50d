import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
} from "../../model/aggregate.js";
import { nameFault } from "../../model/name.js";
import { aggregateFunctions } from "../base/functions.js";
import { isInteger, literalOf, withoutParens } from "../base/literal.js";
import { nameOfExpression } from "../base/printExpression.js";
import { refuse } from "../base/sqlRefusal.js";
import type { AggregateNode, CallNode, Node } from "../base/syntax.js";
import { columnOf, isSavedFunction, lowerExpression, refuseWrongCall } from "./lowerExpression.js";
import type { Lowering } from "./lowering.js";

const percentileName = /^p(\d\d)$/;

/** The node as a call that is an aggregate in every place; null when it is none. */
export function aggregateCall(node: Node): CallNode | AggregateNode | null {
  const inner = withoutParens(node);
  if (inner.kind === "aggregate") return inner;
  return inner.kind === "call" && isBuiltIn(inner) ? inner : null;
}

/**
 * The node as a call of a saved function, which is an aggregate where rows are grouped and not by
 * it; else null.
 */
export function savedCall(node: Node): CallNode | null {
  const inner = withoutParens(node);
  return inner.kind === "call" && isSavedFunction(inner) ? inner : null;
}

function isBuiltIn({ name, quoted }: CallNode | AggregateNode): boolean {
  if (quoted) return false;
  const known = name.toLowerCase();
  return aggregateFunctions.has(known) || percentileName.test(known);
}

/** Lowers an aggregate without alias; `path` is its place in the query. */
export function lowerAggregate(
  node: CallNode | AggregateNode,
  path: string,
  lowering: Lowering,
): AggregateSpec | FunctionAggregate {
  if (node.filter !== null) return lowerFiltered(node, node.filter, path, lowering);
  if (node.kind === "call" && isBuiltIn(node)) {
    const counted = countedIf(node);
    const rows: CallNode = { ...node, name: "count", args: [{ kind: "star", at: node.at }] };
    if (counted !== null) return lowerFiltered(rows, counted, path, lowering);
  }
  if (node.kind === "aggregate" || !isBuiltIn(node)) {
    return lowerFunctionAggregate(node, path, lowering);
  }
  const { args, at, per } = node;
  lowering.mark(path, at);
  lowering.mark(`${path}.fn`, at);
  if (args[0] !== undefined) lowering.mark(`${path}.column`, args[0].at);
  const spec = lowerCall(node, path, lowering);
  return per === null ? spec : { ...spec, per };
}

/** The condition of `count_if(condition)`; null: it is another aggregate. */
function countedIf({ name, args, at, distinct }: CallNode): Node | null {
  const known = name.toLowerCase();
  if (known !== "count_if" && known !== "countif") return null;
  const [condition, ...others] = args;
  if (condition !== undefined && others.length === 0 && !distinct) return condition;
  return refuse(at, "wrong-arguments", `${name} takes a condition: ${name}(status >= 500).`);
}

/** Of the rows that pass a filter: what is missing in the others, aggregates skip. */
function lowerFiltered(
  node: CallNode | AggregateNode,
  filter: Node,
  path: string,
  lowering: Lowering,
): AggregateSpec | FunctionAggregate {
  const { at } = node;
  if (node.kind === "call" && node.name.toLowerCase() === "count.raw") {
    const detail = "The raw count of rows comes beside count(*) FILTER (WHERE …).";
    return refuse(at, "unsupported", detail);
  }
  const [first, ...others] = node.args;
  const isCount = first?.kind === "star";
  const value: Node = isCount || first === undefined ? { kind: "number", at, text: "1" } : first;
  const kept: Node = {
    kind: "case",
    at: value.at,
    subject: null,
    branches: [{ condition: filter, value }],
    otherwise: null,
  };
  // What is wrong without a filter is so with one.
  const unfiltered = lowerAggregate({ ...node, filter: null }, "", lowering.trial());
  const spec = lowerAggregate({ ...node, filter: null, args: [kept, ...others] }, path, lowering);
  const { expression } = lowerExpression(filter, lowering.trial());
  const name = `${aggregateName(unfiltered)} where ${nameOfExpression(expression)}`;
  return nameFault(name) === null ? { ...spec, as: name } : spec;
}

function lowerFunctionAggregate(
  node: CallNode | AggregateNode,
  path: string,
  lowering: Lowering,
): FunctionAggregate {
  const { args, at, name } = node;
  if (node.kind === "call") refuseWrongCall(node);
  else if (isBuiltIn(node)) {
    refuse(at, "syntax", `${name} is built in: leave out AGGREGATE, which calls saved functions.`);
  }
  lowering.mark(path, at);
  lowering.mark(`${path}.fn`, at);
  for (const [i, arg] of args.entries()) lowering.mark(`${path}.columns[${i}]`, arg.at);
  return { fn: name, columns: args.map((arg) => columnOf(arg, lowering)) };
}

function lowerCall(node: CallNode, path: string, lowering: Lowering): AggregateSpec {
  const { args, at, distinct } = node;
  const name = node.name.toLowerCase();
  const [first] = args;
  if (distinct && name !== "count") {
    return refuse(
      at,
      "syntax",
      `DISTINCT is allowed in count(DISTINCT column) only, not in ${name}.`,
    );
  }
  const percent = percentOf(node, path, lowering);
  const most = percent === null || name !== "percentile" ? 1 : 2;
  if (args.length > most) {
    const detail = `${name} takes ${most === 1 ? "one argument" : "two arguments"}; found ${args.length}.`;
    return refuse(args[most]!.at, "wrong-arguments", detail);
  }
  if (name === "count.raw") {
    if (first === undefined || first.kind === "star") return { fn: "count.raw" };
    return refuse(first.at, "wrong-arguments", "count.raw counts rows: write count.raw(*).");
  }
  if (first === undefined || first.kind === "star") {
    if (name === "count" && first !== undefined && !distinct) return { fn: "count" };
    const advice = name === "count" ? "write count(*) or count(column)." : `write ${name}(column).`;
    return refuse(first?.at ?? at, "wrong-arguments", `${name} needs a column: ${advice}`);
  }
  // PostgreSQL's count(1): any constant is present in every row.
  if (name === "count" && !distinct && isConstant(first)) return { fn: "count" };
  const column = columnOf(first, lowering);
  if (distinct) return { fn: "distinct", column };
  if (percent !== null) return { fn: "percentile", column, p: percent };
  return { fn: aggregateFunctions.get(name)!, column };
}

function isConstant(node: Node): boolean {
  return literalOf(node) !== null;
}

/** Which percentile is asked for; null for other aggregates. */
function percentOf(node: CallNode, path: string, lowering: Lowering): number | null {
  const name = node.name.toLowerCase();
  if (name === "median") return 50;
  const named = percentileName.exec(name);
  if (named !== null) return Number(named[1]);
  if (name !== "percentile") return null;
  const [, share] = node.args;
  if (share === undefined) {
    const detail = "percentile needs a column and a percentage: percentile(latency_us, 95).";
    return refuse(node.at, "wrong-arguments", detail);
  }
  lowering.mark(`${path}.p`, share.at);
  const inner = withoutParens(share);
  if (inner.kind === "number") return Number(inner.text);
  return refuse(share.at, "type-mismatch", "The percentage is a number, such as 95 or 99.9.");
}

/** The first aggregate that a node is, or calculates with; null when there is none. */
export function findAggregate(node: Node): CallNode | AggregateNode | null {
  const found = aggregateCall(node);
  if (found !== null) return found;
  for (const part of partsOf(node)) {
    const inside = findAggregate(part);
    if (inside !== null) return inside;
  }
  return null;
}

function partsOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case "paren":
    case "negate":
    case "not":
    case "cast":
      return [node.operand];
    case "chain":
      return [node.first, ...node.rest.map(({ operand }) => operand)];
    case "call":
      return node.args;
    case "distinct":
    case "compare":
    case "match":
      return [node.operand, node.right];
    case "and":
    case "or":
      return node.operands;
    case "like":
    case "contains":
      return [node.operand, node.right];
    case "in":
      return [node.operand, ...node.items];
    case "between":
      return [node.operand, node.low, node.high];
    case "is":
    case "extract":
      return [node.operand];
    case "case":
      return [
        ...node.branches.flatMap(({ condition, value }) => [condition, value]),
        ...(node.subject === null ? [] : [node.subject]),
        ...(node.otherwise === null ? [] : [node.otherwise]),
      ];
    default:
      return [];
  }
}

/** A whole number as an ordinal: `GROUP BY 1`. */
export function ordinalOf(node: Node): number | null {
  const inner = withoutParens(node);
  return inner.kind === "number" && isInteger(inner.text) ? Number(inner.text) : null;
}
