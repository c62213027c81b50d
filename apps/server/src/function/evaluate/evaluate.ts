import { orderHolds } from "../../base/number/orderHolds.js";
import { boundedText } from "../../base/text/textFunctions.js";
import { type Cell, overflow } from "../term/cell.js";
import {
  type JsFn,
  jsFns,
  type TypedCall,
  type TypedExpression,
  type TypedFn,
} from "../term/typedExpression.js";
import { compareCells, evaluateInts } from "./evaluateInts.js";
import { createJsFunction } from "./evaluateJs.js";
import { createTextFunction } from "./evaluateTexts.js";

/** The value of an expression from the values of its inputs. */
export type Evaluator = (inputs: readonly Cell[]) => Cell;

/**
 * What an expression means, row by row: what the emitted code must agree with, and what runs where there is none
 * to be had (strings of several columns) or where it runs once for many rows (on the values of a dictionary).
 */
export function createEvaluator(expression: TypedExpression): Evaluator {
  switch (expression.kind) {
    case "input": {
      const { index } = expression;
      return (inputs) => inputs[index]!;
    }
    case "constant": {
      const cell = constantCell(expression.type, expression.value);
      return () => cell;
    }
    case "call":
      return createCall(expression);
  }
}

function constantCell(type: TypedExpression["type"], value: string | null): Cell {
  if (value === null) return null;
  if (type === "int") return BigInt(value);
  if (type === "number") return Number(value);
  return type === "truth" ? value === "true" : value;
}

function createCall(call: TypedCall): Evaluator {
  const args = call.args.map(createEvaluator);
  switch (call.fn) {
    case "and":
    case "or":
      return combined(args, call.fn);
    case "case":
      return chosen(args);
    case "coalesce":
      return (inputs) => {
        for (const arg of args) {
          const cell = arg(inputs);
          if (cell !== null) return cell;
        }
        return null;
      };
    case "in":
      return included(call, args);
    case "is missing":
    case "is present": {
      const [arg] = args as [Evaluator];
      const wanted = call.fn === "is missing";
      return (inputs) => {
        const cell = arg(inputs);
        return cell === overflow ? overflow : (cell === null) === wanted;
      };
    }
    case "nullif": {
      const [left, right] = args as [Evaluator, Evaluator];
      const [scale, otherScale] = call.args.map(({ decimals }) => decimals) as [number, number];
      return (inputs) => {
        const cell = left(inputs);
        const other = right(inputs);
        if (cell === overflow || other === overflow) return overflow;
        const isEqual =
          typeof cell === "bigint" && typeof other === "bigint"
            ? compareCells(cell, other, scale, otherScale) === 0
            : cell === other;
        return isEqual ? null : cell;
      };
    }
    case "least":
    case "greatest":
      return extremeOf(call.fn, args);
    case "concat_ws":
      return joined(args);
    default:
      return isJs(call.fn)
        ? unlessOverflown(args, createJsFunction(call.fn, call.args, call.decimals))
        : strict(args, createFunction({ ...call, fn: call.fn }));
  }
}

const jsNames: ReadonlySet<string> = new Set(jsFns);
const isJs = (fn: TypedFn): fn is JsFn => jsNames.has(fn);

/** Functions that see missing values. */
function unlessOverflown(
  args: readonly Evaluator[],
  apply: (cells: readonly Cell[]) => Cell,
): Evaluator {
  return (inputs) => {
    const cells = args.map((arg) => arg(inputs));
    return cells.includes(overflow) ? overflow : apply(cells);
  };
}

/** Missing in, missing out; what overflows anywhere has overflown. */
function strict(args: readonly Evaluator[], apply: (cells: readonly Cell[]) => Cell): Evaluator {
  return (inputs) => {
    const cells = args.map((arg) => arg(inputs));
    if (cells.includes(overflow)) return overflow;
    return cells.includes(null) ? null : apply(cells);
  };
}

type PlainCall = Omit<TypedCall, "fn"> & { readonly fn: Exclude<TypedFn, JsFn> };

function createFunction(call: PlainCall): (cells: readonly Cell[]) => Cell {
  const { fn, args, decimals } = call;
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
    case "rescale": {
      const scales = args.map((arg) => arg.decimals);
      return (cells) => evaluateInts(fn, cells as readonly bigint[], scales, decimals);
    }
    case "=":
    case "!=":
    case "<":
    case "<=":
    case ">":
    case ">=": {
      const [left, right] = args as [TypedExpression, TypedExpression];
      return ([a, b]) => orderHolds(fn, compareCells(a!, b!, left.decimals, right.decimals));
    }
    case "not":
      return ([cell]) => cell !== true;
    case "and":
    case "or":
    case "case":
    case "coalesce":
    case "nullif":
    case "in":
    case "is missing":
    case "is present":
    case "least":
    case "greatest":
      throw new Error(`${fn} sees missing values`);
    case "trunc":
    case "sign":
    case "sqrt":
    case "power":
      throw new Error(`${fn} is made of others when it is resolved`);
    default:
      return createTextFunction({ ...call, fn });
  }
}

/** The best of what is there, all of one type and scale. */
function extremeOf(fn: "least" | "greatest", args: readonly Evaluator[]): Evaluator {
  return (inputs) => {
    let best: Cell = null;
    for (const arg of args) {
      const cell = arg(inputs);
      if (cell === overflow) return overflow;
      if (cell === null) continue;
      if (best === null || isBetter(fn, cell, best)) best = cell;
    }
    return best;
  };
}

function isBetter(fn: "least" | "greatest", cell: Cell, best: Cell): boolean {
  const order =
    typeof cell === "boolean" ? Number(cell) - Number(best) : compareCells(cell, best, 0, 0);
  return fn === "least" ? order < 0 : order > 0;
}

/** The texts that are there, with the first between them. */
function joined([between, ...texts]: readonly Evaluator[]): Evaluator {
  return (inputs) => {
    const separator = between!(inputs);
    const cells = texts.map((text) => text(inputs));
    if (separator === overflow || cells.includes(overflow)) return overflow;
    if (separator === null) return null;
    const present = cells.filter((cell) => cell !== null);
    return boundedText("concat_ws", present.join(String(separator)));
  };
}

/** Kleene's and (or): one that is false (true) decides, whatever else is missing or has overflown. */
function combined(args: readonly Evaluator[], fn: "and" | "or"): Evaluator {
  const isAnd = fn === "and";
  return (inputs) => {
    let cell: Cell = isAnd;
    for (const arg of args) {
      const part = arg(inputs);
      if (part === !isAnd) return part;
      if (part === overflow || cell === overflow) cell = overflow;
      else if (part === null) cell = null;
    }
    return cell;
  };
}

/** Like a list of equalities, one of which has to be true. */
function included(call: TypedCall, args: readonly Evaluator[]): Evaluator {
  const [wanted, ...values] = args as [Evaluator, ...Evaluator[]];
  const scales = call.args.map((arg) => arg.decimals);
  const tests = values.map((value, i): Evaluator => {
    const equals = ([a, b]: readonly Cell[]): Cell =>
      compareCells(a!, b!, scales[0]!, scales[i + 1]!) === 0;
    return strict([wanted, value], equals);
  });
  return combined(tests, "or");
}

/** The value beside the first condition that is true; the last one without any. */
function chosen(args: readonly Evaluator[]): Evaluator {
  const otherwise = args.at(-1)!;
  return (inputs) => {
    for (let i = 0; i + 1 < args.length; i += 2) {
      const condition = args[i]!(inputs);
      if (condition === overflow) return overflow;
      if (condition === true) return args[i + 1]!(inputs);
    }
    return otherwise(inputs);
  };
}
