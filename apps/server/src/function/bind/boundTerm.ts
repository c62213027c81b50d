import { roundScaled } from "../../base/number/roundScaled.js";
import { int64Max, int64Min, larger, smaller } from "../term/cell.js";
import type { TypedFn, ValueType } from "../term/typedExpression.js";
import { numberBounds, numberFacts } from "./numberFacts.js";

/**
 * A term of an expression for one segment, with the range of its values. The ranges of the inputs decide which
 * operations have to check for overflow.
 */
export type BoundTerm = SlotTerm | ConstantTerm | CallTerm;

export interface Facts {
  /** Not used for strings and conditions. Above `max`: the term has no values. */
  readonly min: bigint;
  readonly max: bigint;
  readonly mayMiss: boolean;
  readonly mayOverflow: boolean;
}

export type EmittedType = Exclude<ValueType, "list">;

/** An input that the caller passes to the code. */
export interface SlotTerm extends Facts {
  readonly kind: "slot";
  readonly slot: number;
  readonly type: EmittedType;
  readonly decimals: number;
}

/** Integers, codes of strings, 0 and 1, or doubles. Null: missing. */
export interface ConstantTerm extends Facts {
  readonly kind: "constant";
  readonly type: EmittedType;
  readonly decimals: number;
  readonly value: bigint | number | null;
}

export interface CallTerm extends Facts {
  readonly kind: "call";
  readonly fn: TypedFn;
  readonly args: readonly BoundTerm[];
  readonly type: EmittedType;
  readonly decimals: number;
  /** Whether its result, or a number on the way to it, may need more than 64 bits. */
  readonly checked: boolean;
}

/** A column or table that the code reads, row by row. */
export type Slot =
  /** Integers: base + what is stored. Width 0 without presence: all are the base. */
  | {
      readonly kind: "ints";
      readonly width: 0 | 1 | 2 | 3 | 4 | 8;
      readonly hasPresent: boolean;
      readonly hasOverflow: boolean;
    }
  /** The value of each dictionary code: i64 for integers, else i32; and a state byte: missing 0, present 1, overflown 2. */
  | {
      readonly kind: "table";
      readonly width: 0 | 1 | 2 | 3 | 4 | 8;
      readonly entry: "i64" | "i32";
      readonly hasStates: boolean;
    };

export function constantTerm(
  type: EmittedType,
  decimals: number,
  value: bigint | number | null,
): ConstantTerm {
  const { min, max } =
    typeof value === "bigint"
      ? { min: value, max: value }
      : value === null
        ? nothing
        : numberBounds(value, value);
  const mayMiss = value === null;
  return { kind: "constant", type, decimals, value, min, max, mayMiss, mayOverflow: false };
}

const nothing = { min: 1n, max: 0n };
const anything = { min: int64Min, max: int64Max };

/** A call whose arguments are bound, with the range of its values. */
export function callTerm(
  fn: TypedFn,
  args: readonly BoundTerm[],
  type: EmittedType,
  decimals: number,
): CallTerm {
  // Field by field: spreading objects costs V8 half a microsecond, and each segment has its own terms.
  const call = (
    { min, max }: Pick<Facts, "min" | "max">,
    { mayMiss, mayOverflow, checked }: Pick<CallTerm, "mayMiss" | "mayOverflow" | "checked">,
  ): CallTerm => {
    return { kind: "call", fn, args, type, decimals, min, max, mayMiss, mayOverflow, checked };
  };
  const values = valuesOf(fn, args);
  const argsMayOverflow = args.some((arg) => arg.mayOverflow);
  if (type === "number" || fn === "js store") {
    // NaN is a number of JavaScript and no value of a row.
    const mayMiss = fn === "js store" || (!isNeverMissing(fn) && someMiss(fn, values));
    const { min, max } = numberFacts(fn, values, decimals);
    const isWithin = fn !== "js store" || (min >= int64Min && max <= int64Max);
    const mayOverflow = argsMayOverflow || !isWithin;
    return call(clamped(min, max), { mayMiss, mayOverflow, checked: false });
  }
  if (type !== "int") {
    const mayMiss = isNeverMissing(fn) ? false : someMiss(fn, values);
    const bounds = { min: 0n, max: 1n };
    return call(bounds, { mayMiss, mayOverflow: argsMayOverflow, checked: false });
  }
  const { min, max, way } = boundsOf(fn, values, decimals);
  const isWithin = min > max || (min >= int64Min && max <= int64Max);
  const divides = fn === "/" || fn === "%";
  const divisor = values[1];
  const mayDivideByZero =
    divides && divisor !== undefined && divisor.min <= 0n && divisor.max >= 0n;
  return call(clamped(min, max), {
    mayMiss: mayDivideByZero || fn === "nullif" || someMiss(fn, values),
    mayOverflow: argsMayOverflow || !isWithin,
    checked: !isWithin || way > int64Max,
  });
}

/** The part within 64 bits. It has a value even where all rows overflow. */
function clamped(min: bigint, max: bigint): { readonly min: bigint; readonly max: bigint } {
  if (min > max) return nothing;
  return {
    min: smaller(larger(min, int64Min), int64Max),
    max: larger(smaller(max, int64Max), int64Min),
  };
}

function isNeverMissing(fn: TypedFn): boolean {
  if (fn === "is missing" || fn === "is present") return true;
  return fn.startsWith("js ") && fn !== "js number" && fn !== "js store";
}

/** The arguments that may be the value, or that it is computed from. */
function valuesOf(fn: TypedFn, args: readonly BoundTerm[]): readonly BoundTerm[] {
  if (fn === "case") return args.filter((_, i) => i % 2 === 1 || i === args.length - 1);
  return args;
}

function someMiss(fn: TypedFn, values: readonly BoundTerm[]): boolean {
  return fn === "coalesce" || fn === "least" || fn === "greatest"
    ? values.every(({ mayMiss }) => mayMiss)
    : values.some(({ mayMiss }) => mayMiss);
}

interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
  /** The largest magnitude among intermediate results. */
  readonly way: bigint;
}

/** Bounds of an integer result, which may lie beyond 64 bits. */
function boundsOf(fn: TypedFn, values: readonly BoundTerm[], decimals: number): Bounds {
  if (fn === "case" || fn === "coalesce") return direct(unionOf(values));
  const isExtreme = fn === "least" || fn === "greatest";
  // Where one is missing, any other may be the result.
  if (isExtreme && values.some(({ mayMiss }) => mayMiss)) return direct(unionOf(values));
  if (fn === "nullif") return direct(values[0]!);
  if (values.some(({ min, max }) => min > max)) return direct(nothing);
  return boundsOfPresent(fn, values, decimals);
}

/** The same where every argument has a value. */
function boundsOfPresent(fn: TypedFn, values: readonly BoundTerm[], decimals: number): Bounds {
  const [a, b] = values as [BoundTerm, BoundTerm];
  switch (fn) {
    case "+":
      return direct({ min: a.min + b.min, max: a.max + b.max });
    case "-":
      return direct({ min: a.min - b.max, max: a.max - b.min });
    case "*":
      return productBounds(a, b, decimals);
    case "/":
      return divisionBounds(a, b, divisionFactor(values, decimals));
    case "%":
      return remainderBounds(a, b);
    case "negate":
      return direct({ min: -a.max, max: -a.min });
    case "abs": {
      const crosses = a.min <= 0n && a.max >= 0n;
      const low = a.min < 0n ? -a.max : a.min;
      return direct({ min: crosses ? 0n : low, max: magnitude(a) });
    }
    case "least":
      return direct({ min: lowest(values, "min"), max: lowest(values, "max") });
    case "greatest":
      return direct({ min: highest(values, "min"), max: highest(values, "max") });
    case "floor":
    case "ceil":
    case "round": {
      const round = (value: bigint): bigint => roundScaled(fn, value, a.decimals - decimals);
      return direct({ min: round(a.min), max: round(a.max) });
    }
    case "rescale":
    case "to_int":
      return rescaledBounds(a, decimals);
    default:
      return direct(anything);
  }
}

function productBounds(a: BoundTerm, b: BoundTerm, decimals: number): Bounds {
  const products = corners(a, b, (x, y) => x * y);
  const factor = 10n ** BigInt(a.decimals + b.decimals - decimals);
  return { min: products.min / factor, max: products.max / factor, way: magnitude(products) };
}

function remainderBounds(a: BoundTerm, b: BoundTerm): Bounds {
  const most = magnitude(b) === 0n ? 0n : magnitude(b) - 1n;
  const low = a.min < 0n ? -smaller(most, -a.min) : 0n;
  return direct({ min: low, max: a.max > 0n ? smaller(most, a.max) : 0n });
}

function rescaledBounds(a: BoundTerm, decimals: number): Bounds {
  if (decimals >= a.decimals) {
    const factor = 10n ** BigInt(decimals - a.decimals);
    return direct({ min: a.min * factor, max: a.max * factor });
  }
  const factor = 10n ** BigInt(a.decimals - decimals);
  return direct({ min: a.min / factor, max: a.max / factor });
}

function lowest(values: readonly Facts[], side: "min" | "max"): bigint {
  return values.map((value) => value[side]).reduce(smaller);
}

function highest(values: readonly Facts[], side: "min" | "max"): bigint {
  return values.map((value) => value[side]).reduce(larger);
}

/** The factor of the left side of a division, for a quotient at that scale. */
export function divisionFactor([a, b]: readonly BoundTerm[], decimals: number): bigint {
  return 10n ** BigInt(decimals - a!.decimals + b!.decimals);
}

function divisionBounds(a: BoundTerm, b: BoundTerm, factor: bigint): Bounds {
  const way = magnitude(a) * factor;
  if (b.min > 0n || b.max < 0n) {
    return { ...corners(a, b, (x, y) => (x * factor) / y), way };
  }
  return { min: -way, max: way, way };
}

/** A function that is monotone in both arguments has its extremes at the corners of their ranges. */
function corners(
  a: Facts,
  b: Facts,
  apply: (x: bigint, y: bigint) => bigint,
): { readonly min: bigint; readonly max: bigint } {
  const all = [apply(a.min, b.min), apply(a.min, b.max), apply(a.max, b.min), apply(a.max, b.max)];
  return { min: all.reduce(smaller), max: all.reduce(larger) };
}

function unionOf(values: readonly Facts[]): { readonly min: bigint; readonly max: bigint } {
  const some = values.filter(({ min, max }) => min <= max);
  if (some.length === 0) return nothing;
  return { min: lowest(some, "min"), max: highest(some, "max") };
}

function direct({ min, max }: { readonly min: bigint; readonly max: bigint }): Bounds {
  return { min, max, way: 0n };
}

function magnitude({ min, max }: { readonly min: bigint; readonly max: bigint }): bigint {
  return larger(larger(min, -min), larger(max, -max));
}
