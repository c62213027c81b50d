import type { TypedCall, TypedExpression } from "../term/typedExpression.js";
import { type BoundTerm, callTerm, constantTerm, type EmittedType } from "./boundTerm.js";
import { withIntegers } from "./integerForm.js";

/** What a segment has for the terms of an expression. */
export interface TermSource {
  /** A term that the code is given, or a constant; undefined: it is computed from its arguments. Null: it has no code. */
  find(term: TypedExpression): BoundTerm | null | undefined;
  /** The code that a string has among the column's values. */
  codeOf(text: string): number;
}

/** The expression for the emitter; null where rows have to be evaluated one by one. */
export function bindTerm(term: TypedExpression, source: TermSource): BoundTerm | null {
  const found = source.find(term);
  if (found !== undefined) return found;
  if (term.kind === "input") return null;
  if (term.kind === "call") return bindCall(term, source);
  const { type, decimals, value } = term;
  if (type === "list") return null;
  if (value === null) return constantTerm(type, decimals, null);
  if (type === "int") return constantTerm(type, decimals, BigInt(value));
  if (type === "number") return constantTerm(type, decimals, Number(value));
  if (type === "truth") return constantTerm(type, decimals, value === "true" ? 1n : 0n);
  return constantTerm(type, decimals, BigInt(source.codeOf(value)));
}

function bindCall(call: TypedCall, source: TermSource): BoundTerm | null {
  const { fn, type, decimals } = call;
  if (type === "list" || !hasCode(call)) return null;
  if (fn === "in") return bindTerm(equalities(call), source);
  const args: BoundTerm[] = [];
  for (const arg of call.args) {
    const bound = bindTerm(arg, source);
    if (bound === null) return null;
    args.push(bound);
  }
  if (fn === "to_string") {
    const codes = ["true", "false"].map((text) => BigInt(source.codeOf(text)));
    args.push(...codes.map((code) => constantTerm("string", 0, code)));
  }
  const bound = callTerm(fn, args, type, decimals);
  return fn.startsWith("js ") ? withIntegers(bound) : bound;
}

/** Whether the emitter can compute it from its arguments' integers, codes and conditions. */
function hasCode({ fn, args, type }: TypedCall): boolean {
  const [first] = args as readonly [TypedExpression, ...TypedExpression[]];
  switch (fn) {
    case "+":
    case "-":
    case "*":
    case "/":
    case "%":
    case "negate":
    case "abs":
    case "floor":
    case "ceil":
    case "round":
    case "rescale":
    case "is missing":
    case "is present":
    case "and":
    case "or":
    case "not":
    case "case":
    case "coalesce":
    case "nullif":
      return true;
    // Codes show whether strings are equal, not their order.
    case "=":
    case "!=":
    case "in":
      return first.type === "int" || first.type === "string";
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "least":
    case "greatest":
      return first.type === "int";
    case "to_int":
      return first.type === "int";
    case "to_string":
      return first.type === "truth" && type === "string";
    default:
      return fn.startsWith("js ");
  }
}

/** One object for each call of a query: what is known of terms is kept by the term itself. */
const asEqualities = new WeakMap<TypedCall, TypedCall>();

function equalities(call: TypedCall): TypedCall {
  let found = asEqualities.get(call);
  if (found === undefined) {
    found = anyEqual(call);
    asEqualities.set(call, found);
  }
  return found;
}

function anyEqual({ args }: TypedCall): TypedCall {
  const [wanted, ...values] = args as readonly [TypedExpression, ...TypedExpression[]];
  const type: EmittedType = "truth";
  return {
    kind: "call",
    fn: "or",
    type,
    decimals: 0,
    args: values.map((value) => ({
      kind: "call",
      fn: "=",
      type,
      decimals: 0,
      args: [wanted, value],
    })),
  };
}
