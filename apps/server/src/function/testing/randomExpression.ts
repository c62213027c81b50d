import type { ExpressionFn } from "@hadal/sdk";
import type { TypedCall, TypedExpression, TypedFn } from "../term/typedExpression.js";
import { rescaled } from "../term/typedTerms.js";

export interface Random {
  /** A whole number below `end`. */
  below(end: number): number;
}

const specials = [0n, 1n, -1n, 2n, 10n, -7n, 1_000_000n, 2n ** 31n, -(2n ** 53n), 2n ** 62n];
const extremes = [2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n - 2n, -(2n ** 63n) + 1n];

export function randomInt(random: Random): bigint {
  const kind = random.below(10);
  if (kind < 5) return BigInt(random.below(41) - 20);
  if (kind < 8) return specials[random.below(specials.length)]! + BigInt(random.below(3) - 1);
  if (kind < 9) return extremes[random.below(extremes.length)]!;
  const wide = (BigInt(random.below(2 ** 31)) << 32n) | BigInt(random.below(2 ** 31));
  return random.below(2) === 0 ? wide : -wide;
}

/** Integers and conditions over integer inputs of these scales, in all ways that have code. */
export function randomIntExpression(
  random: Random,
  scales: readonly number[],
  depth: number,
): TypedExpression {
  const next = (): TypedExpression => randomIntExpression(random, scales, depth - 1);
  const condition = (): TypedExpression => randomCondition(random, scales, depth - 1);
  if (depth === 0 || random.below(8) === 0) return randomLeaf(random, scales);
  switch (random.below(12)) {
    case 0:
    case 1: {
      const [a, b] = [next(), next()];
      const kept = Math.max(6, a.decimals, b.decimals);
      return call("*", [a, b], "int", Math.min(a.decimals + b.decimals, kept));
    }
    case 2: {
      const [a, b] = [next(), next()];
      return call("/", [a, b], "int", random.below(2) === 0 ? a.decimals : Math.max(6, a.decimals));
    }
    case 3:
      return aligned("%", [next(), next()]);
    case 4:
    case 5:
      return aligned(random.below(2) === 0 ? "+" : "-", [next(), next()]);
    case 6:
      return aligned(random.below(2) === 0 ? "least" : "greatest", [next(), next(), next()]);
    case 7: {
      const a = next();
      const kept = random.below(a.decimals + 1);
      if (kept < a.decimals) {
        const which = (["floor", "ceil", "round"] as const)[random.below(3)]!;
        return call(which, [a], "int", which === "round" ? kept : 0);
      }
      return call(random.below(2) === 0 ? "negate" : "abs", [a], "int", a.decimals);
    }
    case 8: {
      const [a, b, c] = alignedArgs([next(), next(), next()]) as [Term, Term, Term];
      return call("case", [condition(), a, condition(), b, c], "int", a.decimals);
    }
    case 9:
      return aligned("coalesce", [next(), next()]);
    case 10:
      return nullif([next(), next()]);
    default:
      return call("to_int", [next()], "int", 0);
  }
}

type Term = TypedExpression;

function randomCondition(
  random: Random,
  scales: readonly number[],
  depth: number,
): TypedExpression {
  const next = (): TypedExpression => randomIntExpression(random, scales, Math.max(0, depth - 1));
  const inner = (): TypedExpression => randomCondition(random, scales, depth - 1);
  const comparisons = ["=", "!=", "<", "<=", ">", ">="] as const;
  const kind = depth <= 0 ? 5 + random.below(3) : random.below(8);
  switch (kind) {
    case 0:
      return truth("and", [inner(), inner()]);
    case 1:
      return truth("or", [inner(), inner(), inner()]);
    case 2:
      return truth("not", [inner()]);
    case 3:
      return truth(random.below(2) === 0 ? "is missing" : "is present", [next()]);
    case 4:
      return truth("in", [next(), next(), randomLeaf(random, scales)]);
    default:
      return truth(comparisons[random.below(6)]!, [next(), next()]);
  }
}

function randomLeaf(random: Random, scales: readonly number[]): TypedExpression {
  if (random.below(4) === 0) {
    const decimals = random.below(3) === 0 ? 2 : 0;
    const value = random.below(8) === 0 ? null : randomInt(random).toString();
    return { kind: "constant", type: "int", decimals, value };
  }
  const index = random.below(scales.length);
  return { kind: "input", index, type: "int", decimals: scales[index]! };
}

function aligned(fn: ExpressionFn, args: readonly TypedExpression[]): TypedCall {
  const same = alignedArgs(args);
  return call(fn, same, "int", same[0]!.decimals);
}

function nullif(args: readonly TypedExpression[]): TypedCall {
  return call("nullif", args, "int", args[0]!.decimals);
}

function alignedArgs(args: readonly TypedExpression[]): readonly TypedExpression[] {
  const decimals = Math.max(...args.map((arg) => arg.decimals));
  return args.map((arg) => rescaled(arg, decimals));
}

function truth(fn: ExpressionFn, args: readonly TypedExpression[]): TypedCall {
  return call(fn, args, "truth", 0);
}

function call(
  fn: TypedFn,
  args: readonly TypedExpression[],
  type: "int" | "truth",
  decimals: number,
): TypedCall {
  return { kind: "call", fn, args, type, decimals };
}
