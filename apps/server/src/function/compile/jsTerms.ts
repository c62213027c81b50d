import type { InputColumn } from "../term/inputColumn.js";
import type {
  JsFn,
  TypedCall,
  TypedConstant,
  TypedExpression,
  TypedFn,
} from "../term/typedExpression.js";

/** A value of JavaScript as a term; missing stands for undefined, and for null where that may be. */
export interface JsValue {
  readonly term: TypedExpression;
  /** Null takes part in arithmetic as 0, undefined as NaN: a value that may be null takes part in none. */
  readonly mayBeNull: boolean;
  readonly mayBeUndefined: boolean;
  /** Nothing but null or undefined: of whatever type is wanted. */
  readonly isNothing: boolean;
  /** Terms it is made of, each as often as it is computed. */
  readonly size: number;
}

type NumberFn = Extract<
  JsFn,
  | "js +"
  | "js -"
  | "js *"
  | "js /"
  | "js %"
  | "js negate"
  | "js abs"
  | "js floor"
  | "js ceil"
  | "js trunc"
  | "js round"
  | "js sqrt"
  | "js min"
  | "js max"
>;

/** Makes terms of JavaScript values. Throws the problem of `refuse` where a term cannot mean the same as JavaScript. */
export class JsTerms {
  readonly #sizeMax: number;
  readonly #refuse: () => Error;
  /** Inputs are numbers of JavaScript already, none of them missing. */
  readonly #readsNumbers: boolean;
  readonly inputs: InputColumn[] = [];

  constructor(sizeMax: number, refuse: () => Error, inputs: "columns" | "numbers" = "columns") {
    this.#sizeMax = sizeMax;
    this.#refuse = refuse;
    this.#readsNumbers = inputs === "numbers";
  }

  column(column: InputColumn): JsValue {
    const { type, decimals, name } = column;
    if (type !== "int" && type !== "string") throw this.#refuse();
    const known = this.inputs.findIndex((input) => input.name === name);
    const index = known >= 0 ? known : this.inputs.push(column) - 1;
    if (this.#readsNumbers) return plain({ kind: "input", index, type: "number", decimals }, 1);
    const input: TypedExpression = { kind: "input", index, type, decimals };
    const term = type === "int" ? call("js number", [input], "number") : input;
    return { ...plain(term, 1), mayBeUndefined: true };
  }

  undefined(): JsValue {
    return { ...plain(constant("number", null), 1), mayBeUndefined: true, isNothing: true };
  }

  null(): JsValue {
    return { ...plain(constant("number", null), 1), mayBeNull: true, isNothing: true };
  }

  number(value: number): JsValue {
    const text = Object.is(value, -0) ? "-0" : String(value);
    return plain(constant("number", text), 1);
  }

  string(value: string): JsValue {
    return plain(constant("string", value), 1);
  }

  truth(value: boolean): JsValue {
    return plain(constant("truth", String(value)), 1);
  }

  /** Whether the value counts as true. */
  truthy(value: JsValue): JsValue {
    const { term } = value;
    if (value.isNothing) return this.truth(false);
    switch (term.type) {
      case "number":
        return this.#made(call("js truthy", [term], "truth"), [value]);
      case "string": {
        const isEmpty = call("js =", [term, constant("string", "")], "truth");
        const isThere = call("is present", [term], "truth");
        const both = call("and", [isThere, call("not", [isEmpty], "truth")], "truth");
        return this.#made(both, [value, value]);
      }
      case "truth":
        return this.#made(this.#certain(value), [value]);
      default:
        throw this.#refuse();
    }
  }

  not(value: JsValue): JsValue {
    const truthy = this.truthy(value);
    return this.#made(call("not", [truthy.term], "truth"), [truthy]);
  }

  choose(condition: JsValue, yes: JsValue, no: JsValue): JsValue {
    const [a, b] = this.#alike(yes, no);
    const term = call("case", [condition.term, a.term, b.term], a.term.type);
    const made = this.#made(term, [condition, a, b]);
    return {
      ...made,
      mayBeNull: a.mayBeNull || b.mayBeNull,
      mayBeUndefined: a.mayBeUndefined || b.mayBeUndefined,
      isNothing: a.isNothing && b.isNothing,
    };
  }

  /** `??` */
  orElse(left: JsValue, right: JsValue): JsValue {
    const [a, b] = this.#alike(left, right);
    const made = this.#made(call("coalesce", [a.term, b.term], a.term.type), [a, b]);
    return { ...made, mayBeNull: b.mayBeNull, mayBeUndefined: b.mayBeUndefined };
  }

  /** What arithmetic takes a value for. */
  toNumber(value: JsValue): JsValue {
    if (value.mayBeNull || value.term.type === "string") throw this.#refuse();
    if (value.term.type === "truth") {
      return this.#made(call("js of truth", [value.term], "number"), [value]);
    }
    // NaN is what undefined is as a number, and what a missing value is to arithmetic.
    if (!value.mayBeUndefined) return value;
    return this.#made(call("js +", [value.term, constant("number", "-0")], "number"), [value]);
  }

  arithmetic(fn: NumberFn, values: readonly JsValue[]): JsValue {
    const numbers = values.map((value) => this.toNumber(value));
    return this.#made(
      call(
        fn,
        numbers.map(({ term }) => term),
        "number",
      ),
      numbers,
    );
  }

  binary(operator: string, left: JsValue, right: JsValue): JsValue {
    switch (operator) {
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
        return this.arithmetic(`js ${operator}`, [left, right]);
      case "<":
      case "<=":
      case ">":
      case ">=": {
        const [a, b] = [this.toNumber(left), this.toNumber(right)];
        return this.#made(call(`js ${operator}`, [a.term, b.term], "truth"), [a, b]);
      }
      case "===":
      case "!==":
      case "==":
      case "!=":
        return this.#equality(operator, left, right);
      default:
        throw this.#refuse();
    }
  }

  /** The column's value: as a row with this number, string or condition would have it. */
  stored(
    value: JsValue,
    wanted: { readonly type: "int" | "string"; readonly decimals: number },
  ): TypedExpression {
    const { term, isNothing } = value;
    if (isNothing) return { ...constant(wanted.type, null), decimals: wanted.decimals };
    if (term.type === "number" && wanted.type === "int") {
      return { ...call("js store", [term], "int"), decimals: wanted.decimals };
    }
    if (term.type === "string" && wanted.type === "string") return term;
    if (term.type === "truth" && wanted.type === "string") {
      return call("to_string", [term], "string");
    }
    throw this.#refuse();
  }

  #equality(operator: string, left: JsValue, right: JsValue): JsValue {
    const isNegated = operator.startsWith("!");
    const term = this.#equals(left, right, operator.length === 2 ? "loose" : "strict");
    const made = this.#made(term, [left, right]);
    return isNegated ? this.#made(call("not", [made.term], "truth"), [made]) : made;
  }

  #equals(left: JsValue, right: JsValue, equality: "loose" | "strict"): TypedExpression {
    const isLoose = equality === "loose";
    const nothing = right.isNothing ? right : left.isNothing ? left : null;
    if (nothing !== null) {
      const other = nothing === right ? left : right;
      // Which of the two a missing value is matters to strict equality.
      const isDecided = isLoose || !(nothing.mayBeNull ? other.mayBeUndefined : other.mayBeNull);
      if (other.isNothing || !isDecided) throw this.#refuse();
      return call("is missing", [other.term], "truth");
    }
    const isSure = !left.mayBeNull && !right.mayBeNull;
    const [a, b] = [left.term, right.term];
    if (!isSure && !isLoose) throw this.#refuse();
    if (a.type === b.type && a.type !== "truth") return call("js =", [a, b], "truth");
    if (a.type === "truth" && b.type === "truth") {
      const texts = [left, right].map((one) => call("to_string", [one.term], "string"));
      return call("js =", texts, "truth");
    }
    // Values of different types are never equal strictly; loosely they are converted.
    throw this.#refuse();
  }

  /** Values that one term may have: of one type, or nothing. */
  #alike(a: JsValue, b: JsValue): readonly [JsValue, JsValue] {
    if (a.isNothing && !b.isNothing) return [this.#retyped(a, b), b];
    if (b.isNothing) return [a, this.#retyped(b, a)];
    if (a.term.type !== b.term.type) throw this.#refuse();
    return [a, b];
  }

  #retyped(nothing: JsValue, like: JsValue): JsValue {
    return { ...nothing, term: constant(like.term.type, null) };
  }

  /** A condition that is missing counts as false. */
  #certain({ term, mayBeNull, mayBeUndefined }: JsValue): TypedExpression {
    if (!mayBeNull && !mayBeUndefined) return term;
    return call("coalesce", [term, constant("truth", "false")], "truth");
  }

  #made(term: TypedExpression, of: readonly JsValue[]): JsValue {
    const size = of.reduce((sum, value) => sum + value.size, 1);
    if (size > this.#sizeMax) throw this.#refuse();
    return plain(term, size);
  }
}

function plain(term: TypedExpression, size: number): JsValue {
  return { term, mayBeNull: false, mayBeUndefined: false, isNothing: false, size };
}

function call(fn: TypedFn, args: readonly TypedExpression[], type: TypedCall["type"]): TypedCall {
  return { kind: "call", fn, args, type, decimals: 0 };
}

function constant(type: TypedConstant["type"], value: string | null): TypedConstant {
  return { kind: "constant", type, decimals: 0, value };
}
