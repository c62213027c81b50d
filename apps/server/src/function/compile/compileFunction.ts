import type { AnyNode, CallExpression, MemberExpression, Node, Pattern } from "acorn";
import type { InputColumn } from "../term/inputColumn.js";
import type { TypedExpression } from "../term/typedExpression.js";
import type { FunctionNode } from "./functionSyntax.js";
import { JsTerms, type JsValue } from "./jsTerms.js";

/** Larger functions go to the sandbox: what is said once may be computed on several ways through it. */
const termsMax = 1_000;

export interface CompiledFunction {
  readonly expression: TypedExpression;
  /** Columns in the order of the expression's inputs. */
  readonly inputs: readonly InputColumn[];
}

/** Where the function's columns come from: properties of its row, or its parameters one by one. */
export interface FunctionColumns {
  /** Undefined where no column has the name; the caller reports that. */
  find(name: string): InputColumn | undefined;
  /** Of a function that is called with values; null: it is called with the row. */
  readonly values: readonly InputColumn[] | null;
}

/**
 * A function of JavaScript as an expression, where it is all arithmetic, comparisons, logic, conditions, `Math` and
 * string equality, with names for what is in between. Null: it is more than that, and the sandbox runs it. `result` is
 * what its column was found to be: what is returned has to agree.
 */
export function compileFunction(
  fn: FunctionNode,
  columns: FunctionColumns,
  result: { readonly type: "int" | "string"; readonly decimals: number },
): CompiledFunction | null {
  try {
    const compiler = new Compiler(columns);
    const value = compiler.compile(fn);
    const expression = compiler.terms.stored(value, result);
    return { expression, inputs: compiler.terms.inputs };
  } catch (error) {
    if (error instanceof NotCompiled) return null;
    throw error;
  }
}

/**
 * A function of an object whose properties are all numbers, as an expression over these in their order. Null: it is more
 * than arithmetic and conditions, or returns something else than a number, null or undefined.
 */
export function compileNumbers(fn: FunctionNode, names: readonly string[]): TypedExpression | null {
  try {
    const columns = names.map((name): InputColumn => ({ name, type: "int", decimals: 0 }));
    const find = (name: string) => columns.find((column) => column.name === name);
    const terms = new JsTerms(termsMax, () => new NotCompiled(), "numbers");
    terms.inputs.push(...columns);
    const { term, isNothing } = new Compiler({ find, values: null }, terms).compile(fn);
    return term.type === "number" || isNothing ? term : null;
  } catch (error) {
    if (error instanceof NotCompiled) return null;
    throw error;
  }
}

/** Thrown at the first thing that has no expression. */
class NotCompiled extends Error {}

type Scope = ReadonlyMap<string, JsValue>;

class Compiler {
  readonly #columns: FunctionColumns;
  #row: string | null = null;

  constructor(
    columns: FunctionColumns,
    readonly terms = new JsTerms(termsMax, () => new NotCompiled()),
  ) {
    this.#columns = columns;
  }

  compile(fn: FunctionNode): JsValue {
    const { values } = this.#columns;
    const scope = new Map<string, JsValue>();
    if (values !== null) {
      fn.params.forEach((param, i) => {
        const column = values[i];
        if (param.type !== "Identifier" || column === undefined) throw new NotCompiled();
        scope.set(param.name, this.terms.column(column));
      });
    } else if (fn.params.length > 1) throw new NotCompiled();
    else if (fn.params[0] !== undefined) this.#bindRow(fn.params[0], scope);
    return fn.body.type === "BlockStatement"
      ? this.#statements(fn.body.body, scope)
      : this.#value(fn.body, scope);
  }

  /** `row`, or `{ a, b: c }`. */
  #bindRow(param: Pattern, scope: Map<string, JsValue>): void {
    if (param.type === "Identifier") {
      this.#row = param.name;
      return;
    }
    if (param.type !== "ObjectPattern") throw new NotCompiled();
    for (const property of param.properties) {
      if (property.type !== "Property" || property.computed) throw new NotCompiled();
      if (property.key.type !== "Identifier" || property.value.type !== "Identifier") {
        throw new NotCompiled();
      }
      scope.set(property.value.name, this.#column(property.key.name));
    }
  }

  #column(name: string): JsValue {
    const column = this.#columns.find(name);
    if (column === undefined) throw new NotCompiled();
    return this.terms.column(column);
  }

  /** What is returned by the first of these that returns. */
  #statements(statements: readonly Node[], scope: Scope): JsValue {
    const [first, ...rest] = statements as readonly AnyNode[];
    if (first === undefined) return this.terms.undefined();
    switch (first.type) {
      case "EmptyStatement":
        return this.#statements(rest, scope);
      case "ReturnStatement":
        return first.argument == null ? this.terms.undefined() : this.#value(first.argument, scope);
      case "BlockStatement":
        // What a block names ends with it: a name that means something behind it would too.
        if (rest.length > 0 && first.body.some(({ type }) => type === "VariableDeclaration")) {
          throw new NotCompiled();
        }
        return this.#statements([...first.body, ...rest], scope);
      case "IfStatement": {
        const condition = this.terms.truthy(this.#value(first.test, scope));
        const otherwise = first.alternate == null ? [] : [first.alternate];
        return this.terms.choose(
          condition,
          this.#statements([first.consequent, ...rest], scope),
          this.#statements([...otherwise, ...rest], scope),
        );
      }
      case "VariableDeclaration": {
        if (first.kind === "var") throw new NotCompiled();
        const inner = new Map(scope);
        for (const { id, init } of first.declarations) {
          if (id.type !== "Identifier" || init == null || id.name === this.#row) {
            throw new NotCompiled();
          }
          inner.set(id.name, this.#value(init, inner));
        }
        return this.#statements(rest, inner);
      }
      default:
        throw new NotCompiled();
    }
  }

  #value(node: Node, scope: Scope): JsValue {
    const any = node as AnyNode;
    const { terms } = this;
    switch (any.type) {
      case "Literal":
        return this.#literal(any.value);
      case "ParenthesizedExpression":
        return this.#value(any.expression, scope);
      case "ChainExpression":
        return this.#value(any.expression, scope);
      case "Identifier": {
        const known = scope.get(any.name);
        if (known !== undefined) return known;
        if (any.name === "undefined") return terms.undefined();
        if (any.name === "NaN") return terms.number(Number.NaN);
        if (any.name === "Infinity") return terms.number(Number.POSITIVE_INFINITY);
        throw new NotCompiled();
      }
      case "ConditionalExpression":
        return terms.choose(
          terms.truthy(this.#value(any.test, scope)),
          this.#value(any.consequent, scope),
          this.#value(any.alternate, scope),
        );
      case "LogicalExpression":
        return this.#logical(
          any.operator,
          this.#value(any.left, scope),
          this.#value(any.right, scope),
        );
      case "UnaryExpression":
        return this.#unary(any.operator, this.#value(any.argument, scope));
      case "BinaryExpression": {
        if (any.left.type === "PrivateIdentifier") throw new NotCompiled();
        const [left, right] = [this.#value(any.left, scope), this.#value(any.right, scope)];
        return terms.binary(any.operator, left, right);
      }
      case "MemberExpression":
        return this.#member(any, scope);
      case "CallExpression":
        return this.#call(any, scope);
      default:
        throw new NotCompiled();
    }
  }

  #literal(value: unknown): JsValue {
    if (typeof value === "number") return this.terms.number(value);
    if (typeof value === "string") return this.terms.string(value);
    if (typeof value === "boolean") return this.terms.truth(value);
    if (value === null) return this.terms.null();
    throw new NotCompiled();
  }

  #logical(operator: string, left: JsValue, right: JsValue): JsValue {
    const { terms } = this;
    if (operator === "??") return terms.orElse(left, right);
    const condition = terms.truthy(left);
    return operator === "&&"
      ? terms.choose(condition, right, left)
      : terms.choose(condition, left, right);
  }

  #unary(operator: string, argument: JsValue): JsValue {
    switch (operator) {
      case "!":
        return this.terms.not(argument);
      case "-":
        return this.terms.arithmetic("js negate", [argument]);
      case "+":
        return this.terms.toNumber(argument);
      default:
        throw new NotCompiled();
    }
  }

  /** `row.name` and `row["name"]`; the constants of `Math` are numbers. */
  #member(node: MemberExpression, scope: Scope): JsValue {
    const name = nameOf(node);
    if (name === null || node.object.type !== "Identifier" || scope.has(node.object.name)) {
      throw new NotCompiled();
    }
    if (node.object.name === this.#row) return this.#column(name);
    const constant = node.object.name === "Math" ? mathConstants.get(name) : undefined;
    if (constant === undefined) throw new NotCompiled();
    return this.terms.number(constant);
  }

  #call({ callee, arguments: args }: CallExpression, scope: Scope): JsValue {
    if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") {
      throw new NotCompiled();
    }
    const { name: object } = callee.object;
    if (object !== "Math" || scope.has(object) || object === this.#row) throw new NotCompiled();
    const values = args.map((arg) => {
      if (arg.type === "SpreadElement") throw new NotCompiled();
      return this.#value(arg, scope);
    });
    const name = nameOf(callee);
    if (name === "min" || name === "max") return this.#extreme(`js ${name}`, values);
    const fn = name === null ? undefined : mathFunctions.get(name);
    // A function of one argument does not look at more.
    if (fn === undefined || values.length !== 1) throw new NotCompiled();
    return this.terms.arithmetic(fn, values);
  }

  #extreme(fn: "js min" | "js max", values: readonly JsValue[]): JsValue {
    const [first, ...rest] = values;
    if (first === undefined) throw new NotCompiled();
    return rest.reduce(
      (extreme, value) => this.terms.arithmetic(fn, [extreme, value]),
      this.terms.toNumber(first),
    );
  }
}

/** What is exact, so that every engine agrees on it; logarithms and the like differ in their last bit. */
const mathFunctions = new Map([
  ["abs", "js abs"],
  ["floor", "js floor"],
  ["ceil", "js ceil"],
  ["trunc", "js trunc"],
  ["round", "js round"],
  ["sqrt", "js sqrt"],
] as const) as ReadonlyMap<
  string,
  "js abs" | "js floor" | "js ceil" | "js trunc" | "js round" | "js sqrt"
>;

const mathConstants: ReadonlyMap<string, number> = new Map([
  ["PI", Math.PI],
  ["E", Math.E],
  ["LN2", Math.LN2],
  ["LN10", Math.LN10],
  ["SQRT2", Math.SQRT2],
]);

function nameOf({ property, computed }: MemberExpression): string | null {
  if (!computed) return property.type === "Identifier" ? property.name : null;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : null;
}
