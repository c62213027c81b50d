import type { Filter, FilterOperator, FilterValue } from "../../model/filter.js";
import { isTimeColumn, literalOf, withoutParens } from "../base/literal.js";
import { readLike } from "../base/pattern.js";
import { refuse } from "../base/sqlRefusal.js";
import type {
  CompareNode,
  CompareOp,
  DistinctNode,
  IsNode,
  MatchNode,
  Node,
} from "../base/syntax.js";
import { columnOf, expectText } from "./lowerExpression.js";
import type { Lowering } from "./lowering.js";
import { readTimeText } from "./lowerTime.js";

/** Lowers a condition on rows to a filter; `path` is the place of that filter in the query. */
export function lowerFilter(node: Node, path: string, lowering: Lowering): Filter {
  lowering.mark(path, node.at);
  switch (node.kind) {
    case "paren":
      return lowerFilter(node.operand, path, lowering);
    case "and":
    case "or": {
      const key = node.kind === "and" ? "all" : "any";
      const filters = node.operands.map((operand, i) =>
        lowerFilter(operand, `${path}.${key}[${i}]`, lowering),
      );
      return key === "all" ? { all: filters } : { any: filters };
    }
    case "not":
      return { not: lowerFilter(node.operand, `${path}.not`, lowering) };
    case "constant":
      if (node.value === null) return refuse(node.at, "syntax", "NULL is no condition.");
      return node.value ? { all: [] } : { any: [] };
    case "compare":
      return lowerComparison(node, path, lowering);
    case "match":
      return lowerMatch(node, path, lowering);
    case "is":
      return lowerIs(node, path, lowering);
    case "distinct":
      return lowerDistinct(node, path, lowering);
    default:
      return lowerOther(node, path, lowering);
  }
}

function lowerOther(node: Node, path: string, lowering: Lowering): Filter {
  const negatedAs = (
    { negated }: { readonly negated: boolean },
    filter: (path: string) => Filter,
  ): Filter => (negated ? { not: filter(`${path}.not`) } : filter(path));
  switch (node.kind) {
    case "like": {
      const pattern = expectText(node.right, node.op);
      const escapeSign = node.escape?.value ?? "\\";
      const { op, value } = readLike(pattern, escapeSign, node.op);
      return negatedAs(node, (at) =>
        condition(node.operand, { op, value, at: node.right.at }, at, lowering),
      );
    }
    case "in": {
      const values = literalsOf(node.items, node.operand);
      if (values === null) return lowerTruth(node, path, lowering);
      const op = node.negated ? "not in" : "in";
      const test: Test = { op, value: values, at: node.items[0]?.at ?? node.at };
      return condition(node.operand, test, path, lowering);
    }
    case "between":
      return negatedAs(node, (at) => ({
        all: [
          lowerComparison(comparison(node.operand, ">=", node.low), `${at}.all[0]`, lowering),
          lowerComparison(comparison(node.operand, "<=", node.high), `${at}.all[1]`, lowering),
        ],
      }));
    case "elements": {
      const values = literalsOf(node.items, node.operand);
      if (values === null) {
        const what = `${node.op.toUpperCase()} takes a list of values: ('a', 'b').`;
        return refuse(node.items[0]?.at ?? node.at, "type-mismatch", what);
      }
      const test: Test = { op: node.op, value: values, at: node.items[0]?.at ?? node.at };
      return condition(node.operand, test, path, lowering);
    }
    case "contains": {
      const needle = literalOf(node.right);
      if (typeof needle !== "string") return lowerTruth(node, path, lowering);
      const test: Test = { op: "contains", value: needle, at: node.right.at };
      return negatedAs(node, (at) => condition(node.operand, test, at, lowering));
    }
    case "name":
    case "call":
    case "aggregate":
    case "case":
      return lowerTruth(node, path, lowering);
    default:
      return refuse(
        node.at,
        "type-mismatch",
        "Expected a condition, such as status >= 500, found a value.",
      );
  }
}

/** The test of a column, and the place of its value in the text. */
interface Test {
  readonly op: FilterOperator;
  readonly value?: FilterValue | readonly FilterValue[];
  readonly at: number;
}

/** A condition on a column, or on one derived from the node. */
function condition(node: Node, { op, value, at }: Test, path: string, lowering: Lowering): Filter {
  lowering.mark(path, node.at);
  lowering.mark(`${path}.column`, node.at);
  lowering.mark(`${path}.value`, at);
  const column = columnOf(node, lowering);
  return value === undefined ? { column, op } : { column, op, value };
}

/** A condition that has to be computed row by row: rows pass where its derived column is true. */
function lowerTruth(node: Node, path: string, lowering: Lowering): Filter {
  return condition(node, { op: "=", value: true, at: node.at }, path, lowering);
}

function comparison(operand: Node, op: CompareOp, right: Node): CompareNode {
  return { kind: "compare", at: operand.at, op, operand, right };
}

const flipped: Readonly<Record<CompareOp, CompareOp>> = {
  "=": "=",
  "!=": "!=",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

function lowerComparison(node: CompareNode, path: string, lowering: Lowering): Filter {
  const { operand, right, op } = node;
  for (const side of [operand, right]) {
    if (withoutParens(side).kind === "constant" && literalOf(side) === null) {
      const detail = "A comparison with NULL is true for no row: write IS NULL or IS NOT NULL.";
      return refuse(side.at, "type-mismatch", detail);
    }
  }
  const value = valueFor(operand, right);
  if (value !== null) return condition(operand, { op, value, at: right.at }, path, lowering);
  const flippedValue = valueFor(right, operand);
  if (flippedValue !== null) {
    const test: Test = { op: flipped[op], value: flippedValue, at: operand.at };
    return condition(right, test, path, lowering);
  }
  return lowerTruth(node, path, lowering);
}

/** What `column` is compared with, when that is a value; null when it has to be computed. */
function valueFor(column: Node, node: Node): FilterValue | null {
  if (literalOf(column) !== null) return null;
  const literal = literalOf(node);
  if (literal !== null) return literal;
  return isTimeColumn(column) ? readTimeText(node) : null;
}

function literalsOf(items: readonly Node[], operand: Node): readonly FilterValue[] | null {
  const values: FilterValue[] = [];
  for (const item of items) {
    const value = valueFor(operand, item);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

function lowerMatch(node: MatchNode, path: string, lowering: Lowering): Filter {
  const pattern = expectText(node.right, node.op);
  const value = node.op.endsWith("*") ? `(?i)${pattern}` : pattern;
  const op = node.op.startsWith("!") ? "!~" : "~";
  return condition(node.operand, { op, value, at: node.right.at }, path, lowering);
}

function lowerIs(node: IsNode, path: string, lowering: Lowering): Filter {
  const { operand, what, negated, at } = node;
  if (what === "true" || what === "false") return lowerTruth(node, path, lowering);
  if (what === "unknown") return lowerTruth(node, path, lowering);
  if (what === "empty") {
    const filter = (of: string): Filter => condition(operand, { op: "is empty", at }, of, lowering);
    return negated ? { not: filter(`${path}.not`) } : filter(path);
  }
  const op = (what === "present") !== negated ? "is present" : "is missing";
  return condition(operand, { op, at }, path, lowering);
}

/** With a value: two conditions on the column, which no value of it leaves open. */
function lowerDistinct(node: DistinctNode, path: string, lowering: Lowering): Filter {
  const { operand, right, negated, at } = node;
  const isNull = (side: Node): boolean =>
    withoutParens(side).kind === "constant" && literalOf(side) === null;
  if (isNull(right) || isNull(operand)) {
    const other = isNull(right) ? operand : right;
    return lowerIs(
      { kind: "is", at, operand: other, what: "null", negated: !negated },
      path,
      lowering,
    );
  }
  if (valueFor(operand, right) === null) return lowerTruth(node, path, lowering);
  const list = negated ? "all" : "any";
  const compared = comparison(operand, negated ? "=" : "!=", right);
  const present: IsNode = { kind: "is", at, operand, what: "null", negated };
  const filters = [
    lowerComparison(compared, `${path}.${list}[0]`, lowering),
    lowerIs(present, `${path}.${list}[1]`, lowering),
  ];
  return negated ? { all: filters } : { any: filters };
}
