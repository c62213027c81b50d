import type { AnyNode, CallExpression, MemberExpression, Node } from "acorn";
import { childrenOf, type FunctionNode, isFunction } from "./functionSyntax.js";
import { globalCalls, listCalls, staticCalls, stringCalls, wholeMath } from "./knownCalls.js";
import { bit, join, type Kind, kinds, orMissing } from "./valueKind.js";

/** The types that a function can return, found by reading it: its column has a type before any row is read. */
export type FunctionResult = "number" | "number or null" | "string";

export function resultOf({ bits, integer }: Kind): {
  readonly result: FunctionResult;
  readonly integer: boolean;
} {
  const values = bits & ~(bit.null | bit.undefined);
  if (values !== bit.number) return { result: "string", integer: false };
  return { result: (bits & bit.null) === 0 ? "number" : "number or null", integer };
}

/** `known` are the kinds of the function's parameters, and of the properties of its row. */
export function inferType(
  fn: FunctionNode,
  known: { readonly params: readonly Kind[]; readonly columns: ReadonlyMap<string, Kind> },
): Kind {
  const inference = new Inference(fn, known);
  return inference.result();
}

/** Kinds of variables by name: those of all scopes of one name are taken together, which only makes them wider. */
class Inference {
  readonly #fn: FunctionNode;
  readonly #known: Parameters<typeof inferType>[1];
  readonly #variables = new Map<string, Kind>();
  readonly #row: string | null;
  #changed = false;

  constructor(fn: FunctionNode, known: Parameters<typeof inferType>[1]) {
    this.#fn = fn;
    this.#known = known;
    const [first] = fn.params;
    const takesRow = known.params.length === 0;
    this.#row = takesRow && first?.type === "Identifier" ? first.name : null;
    fn.params.forEach((param, i) => {
      if (param.type === "Identifier") this.#widen(param.name, known.params[i] ?? kinds.any);
      else if (param.type === "ObjectPattern" && takesRow) this.#bindColumns(param);
      else this.#bindAll(param);
    });
  }

  /** Until nothing gets wider any more; there are few kinds, so that is soon. */
  result(): Kind {
    do {
      this.#changed = false;
      this.#visit(this.#fn.body);
    } while (this.#changed);
    const { body } = this.#fn;
    if (body.type !== "BlockStatement") return this.of(body);
    const returned: Kind[] = [kinds.undefined];
    collectReturns(body, (value) => {
      returned.push(value === null ? kinds.undefined : this.of(value));
    });
    return join(...returned);
  }

  #widen(name: string, by: Kind): void {
    const before = this.#variables.get(name) ?? kinds.nothing;
    const after = join(before, by);
    if (after.bits === before.bits && after.integer === before.integer) {
      if (this.#variables.has(name)) return;
    }
    this.#variables.set(name, after);
    this.#changed = true;
  }

  #bindColumns(pattern: Node): void {
    for (const property of childrenOf(pattern)) {
      const any = property as AnyNode;
      if (any.type !== "Property" || any.computed || any.key.type !== "Identifier") {
        this.#bindAll(property);
        continue;
      }
      const column = this.#known.columns.get(any.key.name) ?? kinds.any;
      const value = any.value as AnyNode;
      if (value.type === "Identifier") this.#widen(value.name, column);
      else this.#bindAll(value);
    }
  }

  /** What goes through strings, or a list of them, is strings. */
  #bindElement(left: Node, of: Kind): void {
    const any = left as AnyNode;
    const id = any.type === "VariableDeclaration" ? any.declarations[0]?.id : any;
    const values = of.bits & ~(bit.null | bit.undefined);
    if (id?.type === "Identifier" && isOnly(values, bit.string | bit.list)) {
      this.#widen(id.name, kinds.string);
    } else this.#bindAll(left);
  }

  /** Variables that may be anything. */
  #bindAll(pattern: Node): void {
    const any = pattern as AnyNode;
    if (any.type === "Identifier") this.#widen(any.name, kinds.any);
    else for (const child of childrenOf(any)) this.#bindAll(child);
  }

  #visit(node: Node): void {
    const any = node as AnyNode;
    switch (any.type) {
      case "VariableDeclarator":
        if (any.id.type !== "Identifier") this.#bindAll(any.id);
        else this.#widen(any.id.name, any.init == null ? kinds.undefined : this.of(any.init));
        break;
      case "AssignmentExpression":
        if (any.left.type === "Identifier") this.#widen(any.left.name, this.of(any));
        else if (any.left.type !== "MemberExpression") this.#bindAll(any.left);
        break;
      case "UpdateExpression":
        if (any.argument.type === "Identifier") this.#widen(any.argument.name, this.of(any));
        break;
      case "ForInStatement":
        this.#bindAll(any.left);
        break;
      case "ForOfStatement":
        this.#bindElement(any.left, this.of(any.right));
        break;
      case "CatchClause":
        if (any.param != null) this.#bindAll(any.param);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        if (any.id != null) this.#widen(any.id.name, kinds.any);
        for (const param of any.params) this.#bindAll(param);
        break;
      case "ClassDeclaration":
        if (any.id !== null) this.#widen(any.id.name, kinds.any);
    }
    for (const child of childrenOf(any)) this.#visit(child);
  }

  of(node: Node): Kind {
    const any = node as AnyNode;
    switch (any.type) {
      case "Literal":
        return ofLiteral(any.value);
      case "TemplateLiteral":
        return kinds.string;
      case "Identifier":
        return this.#ofIdentifier(any.name);
      case "ParenthesizedExpression":
        return this.of(any.expression);
      case "ChainExpression":
        return orMissing(this.of(any.expression));
      case "SequenceExpression":
        return this.of(any.expressions.at(-1)!);
      case "ConditionalExpression":
        return join(this.of(any.consequent), this.of(any.alternate));
      case "LogicalExpression":
        return this.#ofLogical(any.operator, any.left, any.right);
      case "UnaryExpression":
        return this.#ofUnary(any.operator, any.argument);
      case "UpdateExpression":
        return this.#ofUpdated(any.argument);
      case "BinaryExpression":
        return this.#ofBinary(any.operator, this.of(any.left as Node), this.of(any.right));
      case "AssignmentExpression":
        return this.#ofAssignment(any.operator, any.left, any.right);
      case "MemberExpression":
        return this.#ofMember(any);
      case "CallExpression":
        return this.#ofCall(any);
      case "NewExpression":
        return this.#isGlobal(any.callee, "Date") ? kinds.date : kinds.other;
      case "ArrayExpression":
        return any.elements.every((one) => one !== null && this.of(one).bits === bit.string)
          ? kinds.list
          : kinds.other;
      case "ObjectExpression":
      case "ArrowFunctionExpression":
      case "FunctionExpression":
        return kinds.other;
      default:
        return kinds.any;
    }
  }

  #ofIdentifier(name: string): Kind {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    if (name === "undefined") return kinds.undefined;
    return name === "NaN" || name === "Infinity" ? kinds.integer : kinds.any;
  }

  #ofLogical(operator: string, left: Node, right: Node): Kind {
    const first = this.of(left);
    const second = this.of(right);
    if (operator === "&&") return join(first, second);
    // What is missing on the left gives way to the right.
    return join({ ...first, bits: first.bits & ~(bit.null | bit.undefined) }, second);
  }

  #ofUnary(operator: string, argument: Node): Kind {
    const of = this.of(argument);
    switch (operator) {
      case "+":
        return { bits: bit.number, integer: isWhole(of) };
      case "-":
        return arithmetic("-", kinds.integer, of, mayBeBigint(of));
      case "~":
        return mayBeBigint(of) ? kinds.any : kinds.integer;
      case "typeof":
        return kinds.string;
      case "void":
        return kinds.undefined;
      default:
        return kinds.boolean;
    }
  }

  #ofUpdated(argument: Node): Kind {
    const of = this.of(argument);
    return mayBeBigint(of) ? kinds.any : arithmetic("+", of, kinds.integer);
  }

  #ofBinary(operator: string, left: Kind, right: Kind): Kind {
    switch (operator) {
      case "+":
        return addition(left, right);
      case "-":
      case "*":
      case "/":
      case "%":
      case "**":
      case "&":
      case "|":
      case "^":
      case "<<":
      case ">>":
        return arithmetic(operator, left, right);
      case ">>>":
        return kinds.integer;
      default:
        return kinds.boolean;
    }
  }

  #ofAssignment(operator: string, left: Node, right: Node): Kind {
    if (operator === "=") return this.of(right);
    const plain = operator.slice(0, -1);
    if (plain === "&&" || plain === "||" || plain === "??") {
      return join(this.of(left), this.of(right));
    }
    return this.#ofBinary(plain, this.of(left), this.of(right));
  }

  #ofMember(member: MemberExpression): Kind {
    const { object, property, computed } = member;
    const name = memberName(member);
    if (this.#row !== null && object.type === "Identifier" && object.name === this.#row) {
      return (name === null ? undefined : this.#known.columns.get(name)) ?? kinds.any;
    }
    if (this.#isGlobal(object, "Math")) return kinds.number;
    const of = this.of(object);
    const values = of.bits & ~(bit.null | bit.undefined);
    if (name === "length" && isOnly(values, bit.string | bit.list)) return kinds.integer;
    if (computed && values === bit.list) return orMissing(kinds.string);
    if (computed && values === bit.string && isWhole(this.of(property))) {
      return orMissing(kinds.string);
    }
    return kinds.any;
  }

  #ofCall({ callee, arguments: args }: CallExpression): Kind {
    if (callee.type === "Identifier") {
      return this.#variables.has(callee.name)
        ? kinds.any
        : (globalCalls.get(callee.name) ?? kinds.any);
    }
    if (callee.type !== "MemberExpression") return kinds.any;
    const { object } = callee;
    const name = memberName(callee);
    if (name === null) return kinds.any;
    if (this.#isGlobal(object, "Math")) {
      if (wholeMath.has(name)) return kinds.integer;
      const passes = name === "abs" || name === "min" || name === "max";
      const isPlain = args.every((arg) => arg.type !== "SpreadElement" && isWhole(this.of(arg)));
      return passes && isPlain ? kinds.integer : kinds.number;
    }
    for (const [global, calls] of staticCalls) {
      if (this.#isGlobal(object, global)) return calls.get(name) ?? kinds.any;
    }
    const values = this.of(object).bits & ~(bit.null | bit.undefined);
    if (values === bit.string) return stringCalls.get(name) ?? kinds.any;
    if (values === bit.list) return listCalls.get(name) ?? kinds.any;
    if (values === bit.date) return /^(get|set|valueOf)/.test(name) ? kinds.integer : kinds.any;
    return kinds.any;
  }

  #isGlobal(node: Node, name: string): boolean {
    const any = node as AnyNode;
    return any.type === "Identifier" && any.name === name && !this.#variables.has(name);
  }
}

function memberName({ property, computed }: MemberExpression): string | null {
  const any = property as AnyNode;
  if (!computed && any.type === "Identifier") return any.name;
  return computed && any.type === "Literal" && typeof any.value === "string" ? any.value : null;
}

function ofLiteral(value: unknown): Kind {
  if (typeof value === "number") return Number.isInteger(value) ? kinds.integer : kinds.number;
  if (typeof value === "string") return kinds.string;
  if (typeof value === "boolean") return kinds.boolean;
  return value === null ? kinds.null : kinds.other;
}

const isOnly = (bits: number, allowed: number): boolean => bits !== 0 && (bits & ~allowed) === 0;
const mayBeBigint = ({ bits }: Kind): boolean => (bits & bit.other) !== 0;
/** Whether it is a whole number as a number. */
const isWhole = ({ bits, integer }: Kind): boolean =>
  integer && isOnly(bits, bit.number | bit.boolean | bit.null | bit.undefined);

/** A bigint goes with bigints only: beside a number the result is a number, or it throws. */
function arithmetic(
  operator: string,
  left: Kind,
  right: Kind,
  bigints = mayBeBigint(left) && mayBeBigint(right),
): Kind {
  if (bigints) return kinds.any;
  const isBits = "&|^<<>>".includes(operator);
  const keepsWhole = operator === "+" || operator === "-" || operator === "*" || operator === "%";
  return {
    bits: bit.number,
    integer: isBits || (keepsWhole && isWhole(left) && isWhole(right)),
  };
}

function addition(left: Kind, right: Kind): Kind {
  if (left.bits === bit.string || right.bits === bit.string) return kinds.string;
  const plain = bit.number | bit.boolean | bit.null | bit.undefined;
  if (isOnly(left.bits, plain) && isOnly(right.bits, plain)) return arithmetic("+", left, right);
  return kinds.any;
}

function collectReturns(node: Node, found: (value: Node | null) => void): void {
  for (const child of childrenOf(node)) {
    const any = child as AnyNode;
    if (isFunction(any) || any.type === "FunctionDeclaration") continue;
    if (any.type === "ClassDeclaration" || any.type === "ClassExpression") continue;
    if (any.type === "ReturnStatement") found(any.argument ?? null);
    collectReturns(any, found);
  }
}
