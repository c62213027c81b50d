import { HadalError } from "@hadal/sdk";
import { decimalOfText, parseExactDecimal } from "../../base/number/decimalText.js";
import { type Rounding, roundScaled } from "../../base/number/roundScaled.js";
import { compareCodePoints } from "../../base/text/codePointOrder.js";
import { boundedText } from "../../base/text/textFunctions.js";
import type { CalculatedValue, Calculation, CalculationFn } from "../../plan/query/calculation.js";
import { rescale } from "../partial/decimalCell.js";
import { createTextCompute } from "./calculateText.js";

/** What calculations read of one group. */
export interface CalculationInputs {
  /** Exact numbers as bigints, without their decimal point. */
  aggregate(index: number, group: number): CalculatedValue;
  key(groupIndex: number, group: number): CalculatedValue;
}

type Call = Extract<Calculation, { readonly kind: "call" }>;
type Evaluate = (group: number) => CalculatedValue;

/** The value of a calculation group by group. A result beyond 64 bits ends the query. */
export function createCalculator(
  calculation: Calculation,
  inputs: CalculationInputs,
  overflow: () => HadalError,
): Evaluate {
  const compile = (term: Calculation): Evaluate => {
    switch (term.kind) {
      case "aggregate":
        return (group) => inputs.aggregate(term.index, group);
      case "key":
        return (group) => inputs.key(term.groupIndex, group);
      case "constant":
        return () => term.value;
      case "call":
        return compileCall(term, term.args.map(compile), overflow);
    }
  };
  return compile(calculation);
}

export function calculationOverflow(column: string, path: string): HadalError {
  const { message } = new HadalError("value-overflow", { column });
  const part = { path, code: "value-overflow", detail: message };
  return new HadalError("value-overflow", { column }, [part]);
}

export function calculationOfTexts(column: string, path: string): HadalError {
  const detail = `${column} came to texts: a calculation takes numbers of a function.`;
  return new HadalError("type-mismatch", { detail }, [{ path, code: "type-mismatch", detail }]);
}

/** A call with its arguments compiled. */
interface CompiledArguments {
  readonly call: Call;
  readonly args: readonly Evaluate[];
  /** The same, with values of the call's type and decimals. */
  readonly widened: readonly Evaluate[];
}

/** Calls that have a meaning for missing values. All others are missing where an argument is. */
const callsOfMissing: {
  readonly [Fn in CalculationFn]?: (compiled: CompiledArguments) => Evaluate;
} = {
  and: (compiled) => compileLogic(compiled, { decidedBy: false }),
  or: (compiled) => compileLogic(compiled, { decidedBy: true }),
  case: compileCase,
  coalesce: compileCoalesce,
  "is missing":
    ({ args }) =>
    (group) =>
      args[0]!(group) === null,
  "is present":
    ({ args }) =>
    (group) =>
      args[0]!(group) !== null,
  in: compileEqual,
  nullif: compileEqual,
  least: compileExtreme,
  greatest: compileExtreme,
  concat_ws: compileJoin,
};

function compileCall(call: Call, args: readonly Evaluate[], overflow: () => HadalError): Evaluate {
  const checked = (value: CalculatedValue): CalculatedValue => {
    if (typeof value === "bigint" && BigInt.asIntN(64, value) !== value) throw overflow();
    return typeof value === "number" && !Number.isFinite(value) ? null : value;
  };
  const compileOfMissing = callsOfMissing[call.fn];
  if (compileOfMissing !== undefined) {
    const widened = args.map((evaluate, i): Evaluate => {
      const from = call.args[i]!;
      return (group) => checked(widen(evaluate(group), from, call));
    });
    return compileOfMissing({ call, args, widened });
  }
  const compute = createTextCompute(call) ?? createCompute(call);
  return (group) => {
    const values: Present[] = [];
    for (const evaluate of args) {
      const value = evaluate(group);
      if (value === null) return null;
      values.push(value);
    }
    return checked(compute(values));
  };
}

type Present = Exclude<CalculatedValue, null>;

/** SQL's three-valued logic: one value that decides is the result, whatever else is missing. */
function compileLogic(
  { args }: CompiledArguments,
  { decidedBy }: { readonly decidedBy: boolean },
): Evaluate {
  return (group) => {
    const values = args.map((evaluate) => evaluate(group));
    if (values.includes(decidedBy)) return decidedBy;
    return values.includes(null) ? null : !decidedBy;
  };
}

function compileCase({ args, widened }: CompiledArguments): Evaluate {
  const otherwise = args.length % 2 === 1 ? widened.at(-1)! : () => null;
  return (group) => {
    for (let i = 0; i + 1 < args.length; i += 2) {
      if (args[i]!(group) === true) return widened[i + 1]!(group);
    }
    return otherwise(group);
  };
}

function compileCoalesce({ widened }: CompiledArguments): Evaluate {
  return (group) => {
    for (const evaluate of widened) {
      const value = evaluate(group);
      if (value !== null) return value;
    }
    return null;
  };
}

function compileJoin({ call, args }: CompiledArguments): Evaluate {
  return (group) => {
    const [between, ...texts] = args.map((evaluate) => evaluate(group));
    if (between === null || between === undefined) return null;
    const present = texts.filter((text) => text !== null);
    return boundedText(call.fn, present.join(String(between)));
  };
}

/** The least or greatest of the present values. */
function compileExtreme({ call, widened }: CompiledArguments): Evaluate {
  const sign = call.fn === "least" ? 1 : -1;
  return (group) => {
    let best: CalculatedValue = null;
    for (const evaluate of widened) {
      const value = evaluate(group);
      if (value === null) continue;
      if (best === null || sign * order(value, call, best, call) < 0) best = value;
    }
    return best;
  };
}

/** Whether the first argument equals one of the others; `nullif` gives the first where it does not. */
function compileEqual({ call, args, widened }: CompiledArguments): Evaluate {
  const { fn, args: terms } = call;
  return (group) => {
    const [first, ...others] = args.map((evaluate) => evaluate(group));
    if (first === null || first === undefined) return null;
    const isEqual = others.some(
      (one, i) => one !== null && order(first, terms[0]!, one, terms[i + 1]!) === 0,
    );
    if (fn === "nullif") return isEqual ? null : widened[0]!(group);
    return isEqual || (others.includes(null) ? null : false);
  };
}

function createCompute(call: Call): (values: readonly Present[]) => CalculatedValue {
  const { fn, args, type, decimals } = call;
  const [a, b] = args as [Calculation, Calculation];
  const both = (values: readonly Present[]): Present[] =>
    values.map((value, i) => widen(value, args[i]!, call) as Present);
  switch (fn) {
    case "not":
      return ([value]) => value !== true;
    case "=":
      return ([x, y]) => order(x!, a, y!, b) === 0;
    case "!=":
      return ([x, y]) => order(x!, a, y!, b) !== 0;
    case "<":
      return ([x, y]) => order(x!, a, y!, b) < 0;
    case "<=":
      return ([x, y]) => order(x!, a, y!, b) <= 0;
    case ">":
      return ([x, y]) => order(x!, a, y!, b) > 0;
    case ">=":
      return ([x, y]) => order(x!, a, y!, b) >= 0;
    case "/":
      return ([x, y]) => {
        const by = toDouble(y!, b);
        return by === 0 ? null : toDouble(x!, a) / by;
      };
    case "*":
      if (type === "float") return ([x, y]) => toDouble(x!, a) * toDouble(y!, b);
      return ([x, y]) => rescale(BigInt(x!) * BigInt(y!), a.decimals + b.decimals, decimals);
    case "floor":
    case "ceil":
    case "round": {
      if (type === "float") return ([x]) => roundDouble(fn, Number(x), decimals);
      const digits = a.decimals - decimals;
      return ([x]) => roundScaled(fn, BigInt(x!), digits);
    }
    case "trunc":
      if (type === "float") return ([x]) => truncDouble(Number(x), decimals);
      return ([x]) => rescale(BigInt(x!), a.decimals, decimals);
    case "sign":
      return ([x]) => BigInt(Math.sign(Number(x)));
    case "sqrt":
      return ([x]) => Math.sqrt(toDouble(x!, a));
    case "power":
      return ([x, y]) => toDouble(x!, a) ** toDouble(y!, b);
    case "to_decimal":
      return ([x]) => decimalOf(x!, a, call);
    default:
      return (values) => (type === "float" ? floats(fn, both(values)) : exacts(fn, both(values)));
  }
}

function truncDouble(x: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = x * scale;
  return Number.isFinite(scaled) ? Math.trunc(scaled) / scale : x;
}

/** A number, a text that is a number, or a condition, with the digits of the call; null for other texts. */
function decimalOf(x: Present, from: Calculation, { type, decimals }: Call): CalculatedValue {
  if (type === "float") return typeof x === "string" ? doubleOfText(x) : toDouble(x, from);
  if (typeof x === "string") return decimalOfText(x, decimals);
  if (typeof x === "boolean") return BigInt(x) * 10n ** BigInt(decimals);
  if (typeof x === "number") {
    const scaled = roundDouble("round", x, decimals) * 10 ** decimals;
    return Number.isFinite(scaled) ? BigInt(Math.round(scaled)) : null;
  }
  return decimals >= from.decimals
    ? rescale(x, from.decimals, decimals)
    : roundScaled("round", x, from.decimals - decimals);
}

function doubleOfText(text: string): number | null {
  const exact = parseExactDecimal(text.trim());
  return exact === null ? null : Number(text.trim());
}

/** A scaled number that is an integer, or too large, needs no rounding. */
function roundDouble(fn: Rounding, x: number, digits: number): number {
  const scale = 10 ** digits;
  const scaled = x * scale;
  if (!Number.isFinite(scaled) || Number.isInteger(scaled)) return x;
  if (fn === "floor") return Math.floor(scaled) / scale;
  if (fn === "ceil") return Math.ceil(scaled) / scale;
  return (Math.sign(scaled) * Math.round(Math.abs(scaled))) / scale;
}

function floats(fn: Call["fn"], values: readonly Present[]): CalculatedValue {
  const [x = 0, y = 0] = values as readonly number[];
  switch (fn) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "%":
      return y === 0 ? null : x % y;
    case "negate":
      return 0 - x;
    case "abs":
      return Math.abs(x);
    default:
      throw new Error(`${fn} is no arithmetic`);
  }
}

function exacts(fn: Call["fn"], values: readonly Present[]): CalculatedValue {
  const [x = 0n, y = 0n] = values as readonly bigint[];
  switch (fn) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "%":
      return y === 0n ? null : x % y;
    case "negate":
      return -x;
    case "abs":
      return x < 0n ? -x : x;
    default:
      throw new Error(`${fn} is no arithmetic`);
  }
}

/** The value in the type and decimals of the call that takes it. */
function widen(value: CalculatedValue, from: Calculation, to: Calculation): CalculatedValue {
  if (value === null) return null;
  if (to.type === "float") return toDouble(value, from);
  return typeof value === "bigint" && to.type === "exact"
    ? rescale(value, from.decimals, to.decimals)
    : value;
}

function toDouble(value: Present, { decimals }: Calculation): number {
  return typeof value === "bigint" ? Number(value) / 10 ** decimals : Number(value);
}

/** Below 0 where the left is less. Texts by code point. */
function order(x: Present, a: Calculation, y: Present, b: Calculation): number {
  if (typeof x === "bigint" && typeof y === "bigint") {
    const decimals = Math.max(a.decimals, b.decimals);
    const [left, right] = [rescale(x, a.decimals, decimals), rescale(y, b.decimals, decimals)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  if (typeof x === "string" && typeof y === "string") return compareCodePoints(x, y);
  return toDouble(x, a) - toDouble(y, b);
}
