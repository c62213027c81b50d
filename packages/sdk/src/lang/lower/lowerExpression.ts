import type { Expression, ExpressionFn } from "../../model/expression.js";
import { expressionDepthMax, isDecimal, timeParts } from "../../model/expression.js";
import { nearestHint } from "../../model/problem/nearestName.js";
import {
  aggregateFunctions,
  expressionFunctions,
  groupFunctions,
  isSavedName,
  refusedFunctions,
  sqlFunctions,
} from "../base/functions.js";
import {
  decimalConstant,
  isExact,
  isInteger,
  literalOf,
  withoutExponent,
  withoutParens,
} from "../base/literal.js";
import { readLike } from "../base/pattern.js";
import { functionName, nameOfExpression } from "../base/printExpression.js";
import { refuse, refuseUnsupported } from "../base/sqlRefusal.js";
import type {
  CallNode,
  CaseNode,
  ChainNode,
  ElementsNode,
  IsNode,
  Node,
  TestNode,
} from "../base/syntax.js";
import { castTo } from "./lowerCast.js";
import type { Lowering, Place } from "./lowering.js";

/** Lowers one expression; `path` is that of the term within its derived column. */
interface Term {
  readonly lowering: Lowering;
  readonly places: Place[];
  readonly path: string;
  /** The lowered node where it is special; null: it is lowered from its parts. */
  readonly known: (node: Node) => Expression | null;
}

/** Name of the column with a node's value: the one it names, or one derived from it. */
export function columnOf(node: Node, lowering: Lowering): string {
  const inner = withoutParens(node);
  if (inner.kind === "name") return inner.value;
  if (inner.kind === "call" && isSavedFunction(inner)) return deriveByFunction(inner, lowering);
  const { expression, places } = lowerExpression(inner, lowering);
  return lowering.addDerived({ as: nameOfExpression(expression), expression }, inner.at, places);
}

export function lowerExpression(
  node: Node,
  lowering: Lowering,
  known: Term["known"] = () => null,
): { readonly expression: Expression; readonly places: readonly Place[] } {
  const places: Place[] = [];
  const expression = lower(node, { lowering, places, path: "expression", known });
  return { expression, places };
}

function lower(node: Node, term: Term): Expression {
  term.places.push({ path: term.path, at: node.at });
  const known = term.known(node);
  if (known !== null) return known;
  switch (node.kind) {
    case "paren":
      return lower(node.operand, term);
    case "name":
      return { column: node.value };
    case "number":
      return lowerNumber(node.text, node.at);
    case "string":
    case "constant":
      return { value: node.value };
    case "negate":
      return call("negate", [node.operand], term);
    case "chain":
      return lowerChain(node, term);
    case "and":
    case "or":
      return call(node.kind, node.operands, term);
    case "not":
      return call("not", [node.operand], term);
    case "case":
      return lowerCase(node, term);
    case "cast":
      if (node.types.length > expressionDepthMax) {
        const detail = `${node.types.length} casts; at most ${expressionDepthMax} (expressionDepthMax).`;
        return refuse(node.at, "too-deep", detail);
      }
      return node.types.reduce(
        (operand, type) => castTo(type, operand),
        lower(node.operand, argument(term, 0)),
      );
    case "extract":
      return lowerExtract(node.part, node.partAt, node.operand, term);
    case "call":
      return lowerCall(node, term);
    case "aggregate":
      return refuse(node.at, "unknown-function", whyNoValue(node.name.slice(0, 60)));
    case "star":
      return refuse(node.at, "syntax", "Write * alone in SELECT, or in count(*).");
    case "array":
      return refuse(node.at, "syntax", "A list is allowed in bucket(column, ARRAY[…]) only.");
    case "interval":
    case "timestamp":
      return refuse(node.at, "unsupported", "Times are compared only with the column time.");
    default:
      return lowerTest(node, term);
  }
}

function call(fn: ExpressionFn, args: readonly Node[], term: Term): Expression {
  return { fn, args: args.map((arg, i) => lower(arg, argument(term, i))) };
}

function argument(term: Term, index: number): Term {
  return { ...term, path: `${term.path}.args[${index}]` };
}

function lowerNumber(written: string, at: number): Expression {
  const text = withoutExponent(written);
  const number = Number(text);
  if (isInteger(text)) {
    return Number.isSafeInteger(number) ? { value: number } : { integer: BigInt(text).toString() };
  }
  const pointed = text.endsWith(".") ? `${text}0` : text;
  if (isDecimal(pointed)) return decimalConstant(pointed);
  if (isExact(text, number)) return { value: number };
  return refuse(at, "out-of-range", `${text} has more digits than a constant keeps (15).`);
}

function lowerChain({ first, rest, at }: ChainNode, term: Term): Expression {
  if (rest.length > expressionDepthMax) {
    const detail = `A chain of ${rest.length} operators; at most ${expressionDepthMax} (expressionDepthMax).`;
    return refuse(at, "too-deep", detail);
  }
  if (rest[0]?.op === "||") {
    return call("concat", [first, ...rest.map(({ operand }) => operand)], term);
  }
  // The leftmost operand lies deepest: its path has an argument for every operator right of it.
  const pathOf = (i: number): Term => ({
    ...term,
    path: term.path + ".args[0]".repeat(rest.length - 1 - i),
  });
  let left = lower(first, argument(pathOf(0), 0));
  for (const [i, { op, operand }] of rest.entries()) {
    const right = lower(operand, argument(pathOf(i), 1));
    left = { fn: op as ExpressionFn, args: [left, right] };
  }
  return left;
}

function lowerCase({ subject, branches, otherwise }: CaseNode, term: Term): Expression {
  const args: Expression[] = [];
  const add = (node: Node): Expression => lower(node, argument(term, args.length));
  for (const { condition, value } of branches) {
    if (subject === null) args.push(add(condition));
    else args.push({ fn: "=", args: [add(subject), add(condition)] });
    args.push(add(value));
  }
  if (otherwise !== null) args.push(add(otherwise));
  return { fn: "case", args };
}

/** PostgreSQL's parts of a time, and what of ours each is. */
const partNames: ReadonlyMap<string, string> = new Map([
  ...timeParts.map((part) => [part.toLowerCase(), part] as const),
  ["isodow", "dayOfWeek"],
]);

function lowerExtract(part: string, partAt: number, time: Node, term: Term): Expression {
  const operand = lower(time, argument(term, 1));
  const of = (value: string): Expression => ({ fn: "extract", args: [{ value }, operand] });
  const name = partNames.get(part);
  if (name !== undefined) return of(name);
  // PostgreSQL counts these days from Sunday, 0.
  if (part === "dow") return { fn: "%", args: [of("dayOfWeek"), { value: 7 }] };
  if (part === "epoch") return { fn: "/", args: [operand, { value: 1_000 }] };
  const shown = part.slice(0, 40);
  const known = [...partNames.keys(), "dow", "epoch"];
  const detail = `EXTRACT knows no "${shown}": ${known.join(", ")}.${nearestHint(shown, known)}`;
  return refuse(partAt, "unknown-function", detail);
}

function lowerCall(node: CallNode, term: Term): Expression {
  const { args, at } = node;
  const name = node.name.toLowerCase();
  const fn = node.quoted ? undefined : expressionFunctions.get(name);
  if (fn !== undefined) {
    refuseWrongCall(node);
    if (name === "concat" && args.length > 1) return lowerConcat(args, term);
    if (fn === "regexp_replace" && args.length > 3) {
      const advice = "regexp_replace takes the first match only: leave out the flags.";
      return refuseUnsupported(args[3]!.at, "flags of regexp_replace", advice);
    }
    return call(fn, args, term);
  }
  if (name === "if" && !node.quoted) return call("case", args, term);
  const [part, time] = args;
  if (name === "date_part" && part?.kind === "string" && time !== undefined) {
    return lowerExtract(part.value.toLowerCase(), part.at, time, term);
  }
  if (isSavedFunction(node)) return { column: deriveByFunction(node, term.lowering) };
  return refuse(at, "unknown-function", whyNoExpression(node));
}

/** PostgreSQL's concat passes over what is missing; `||` does not. */
function lowerConcat(args: readonly Node[], term: Term): Expression {
  const texts = args.map((arg, i) => lower(arg, argument(term, i + 1)));
  return { fn: "concat_ws", args: [{ value: "" }, ...texts] };
}

/** What no function but an aggregate can be called with. */
export function refuseWrongCall({ distinct, filter, per, at, name }: CallNode): void {
  if (filter !== null) {
    refuse(filter.at, "syntax", `FILTER follows an aggregate, and ${name.slice(0, 60)} is none.`);
  }
  if (distinct)
    refuse(at, "syntax", `DISTINCT is allowed in count(DISTINCT column) only, not in ${name}.`);
  if (per !== null) refuse(at, "syntax", "PER follows count and sum only.");
}

/** A name in double quotes is a saved function's, whatever else is called so. */
export function isSavedFunction({ name, quoted }: CallNode): boolean {
  return quoted || isSavedName(name);
}

function deriveByFunction(node: CallNode, lowering: Lowering): string {
  refuseWrongCall(node);
  const args = node.args.map((arg) => columnOf(arg, lowering));
  const as = functionName(node.name, args);
  const places = [
    { path: "function", at: node.at },
    ...node.args.map((arg, i) => ({ path: `args[${i}]`, at: arg.at })),
  ];
  return lowering.addDerived({ as, function: node.name, args }, node.at, places);
}

/** Why a call is no value of a row. */
function whyNoExpression({ name }: CallNode): string {
  const known = name.toLowerCase();
  const shown = name.slice(0, 60);
  const advice = refusedFunctions.get(known);
  if (advice !== undefined) return `Hadal has no ${shown}. ${advice}`;
  if (aggregateFunctions.has(known) || /^p\d\d$/.test(known)) {
    return whyNoValue(shown);
  }
  if ((groupFunctions as readonly string[]).includes(known)) {
    return `${shown} makes groups: it is allowed in SELECT and GROUP BY only, and not within an expression.`;
  }
  if (known === "now" || known === "current_timestamp") {
    return "now() is compared only with the column time.";
  }
  if (known === "extract")
    return "It is written extract(part FROM time), as in extract(hour FROM time).";
  return `No function is called ${shown}.${nearestHint(shown, sqlFunctions)} A saved function of that name is called with its name in double quotes.`;
}

function whyNoValue(aggregate: string): string {
  return `${aggregate} is an aggregate: it is allowed in SELECT by itself, in HAVING and in ORDER BY, not in WHERE, GROUP BY or a calculation.`;
}

interface Negatable {
  readonly negated: boolean;
}

function lowerTest(node: TestNode, term: Term): Expression {
  const negatedAs = ({ negated }: Negatable, expression: Expression): Expression =>
    negated ? { fn: "not", args: [expression] } : expression;
  switch (node.kind) {
    case "compare":
      return call(node.op, [node.operand, node.right], term);
    case "match": {
      if (!node.op.endsWith("*")) {
        return negatedAs(
          { negated: node.op === "!~" },
          call("~", [node.operand, node.right], term),
        );
      }
      const value = `(?i)${expectText(node.right, node.op)}`;
      const operand = lower(node.operand, argument(term, 0));
      return negatedAs(
        { negated: node.op.startsWith("!") },
        { fn: "~", args: [operand, { value }] },
      );
    }
    case "like": {
      if (node.op === "like" && node.escape === null) {
        return negatedAs(node, call("like", [node.operand, node.right], term));
      }
      const operand = lower(node.operand, argument(term, 0));
      const pattern = expectText(node.right, node.op);
      const { op, value } = readLike(pattern, node.escape?.value ?? "\\", node.op);
      return negatedAs(node, { fn: op, args: [operand, { value }] });
    }
    case "in":
      return negatedAs(node, call("in", [node.operand, ...node.items], term));
    case "between": {
      const operand = lower(node.operand, argument(term, 0));
      const low = lower(node.low, argument(term, 1));
      const high = lower(node.high, argument(term, 2));
      return negatedAs(node, {
        fn: "and",
        args: [
          { fn: ">=", args: [operand, low] },
          { fn: "<=", args: [operand, high] },
        ],
      });
    }
    case "is":
      return lowerIs(node, term);
    case "distinct": {
      const left = lower(node.operand, argument(term, 0));
      const right = lower(node.right, argument(term, 1));
      return negatedAs(node, distinctFrom(left, right));
    }
    case "elements":
      return lowerElements(node, node.op, node.items, term);
    case "contains":
      return negatedAs(node, call("contains", [node.operand, node.right], term));
  }
}

/** A condition on a list gets a separate derived column, unless it is one. */
function lowerElements(
  { operand, at }: IsNode | ElementsNode,
  fn: ElementsNode["op"] | "is empty",
  items: readonly Node[],
  term: Term,
): Expression {
  const values = items.map((item): Expression => {
    const value = literalOf(item);
    if (value !== null) return { value: typeof value === "bigint" ? String(value) : value };
    const detail = `${fn.toUpperCase()} takes a list of values: ('a', 'b').`;
    return refuse(item.at, "type-mismatch", detail);
  });
  const list: Expression = { column: columnOf(operand, term.lowering) };
  const expression: Expression = { fn, args: [list, ...values] };
  if (term.path === "expression") return expression;
  const places = [{ path: "expression", at }];
  const as = nameOfExpression(expression);
  const column = term.lowering.addDerived({ as, expression }, at, places);
  return { fn: "=", args: [{ column }, { value: "true" }] };
}

function lowerIs(node: IsNode, term: Term): Expression {
  const { what, negated, operand } = node;
  if (what === "empty") {
    const empty = lowerElements(node, "is empty", [], negated ? argument(term, 0) : term);
    return negated ? { fn: "not", args: [empty] } : empty;
  }
  if (what === "true" || what === "false") {
    const truth = lower(operand, argument(term, 0));
    const condition: Expression = what === "true" ? truth : { fn: "not", args: [truth] };
    const known: Expression = { fn: "coalesce", args: [condition, { value: false }] };
    return negated ? { fn: "not", args: [known] } : known;
  }
  return call((what === "present") !== negated ? "is present" : "is missing", [operand], term);
}

/** True or false, whatever is missing. */
function distinctFrom(left: Expression, right: Expression): Expression {
  const test = (fn: "is missing" | "is present", arg: Expression): Expression => ({
    fn,
    args: [arg],
  });
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if ("value" in one && one.value === null) return test("is present", other);
  }
  const differ: Expression = { fn: "!=", args: [left, right] };
  const isConstant = !("fn" in right) && !("column" in right);
  if (isConstant) return { fn: "or", args: [test("is missing", left), differ] };
  return {
    fn: "or",
    args: [
      { fn: "and", args: [test("is missing", left), test("is present", right)] },
      {
        fn: "and",
        args: [test("is present", left), { fn: "or", args: [test("is missing", right), differ] }],
      },
    ],
  };
}

/** The constant text that patterns have to be. */
export function expectText(node: Node, op: string): string {
  const inner = withoutParens(node);
  if (inner.kind === "string") return inner.value;
  return refuse(node.at, "type-mismatch", `${op.toUpperCase()} needs a text in single quotes.`);
}
