import { int64Max, int64Min, larger, smaller } from "../term/cell.js";
import type { TypedFn } from "../term/typedExpression.js";

export interface Bounds {
  readonly min: bigint;
  readonly max: bigint;
}

/** Doubles beyond it are too coarse to add a slack of 1. */
const knownMax = 2n ** 52n;
/** A double that may be anything, infinite too. */
const anything: Bounds = { min: int64Min, max: int64Max };
/** Of such a double what is stored: more than 64 bits hold. */
const beyond: Bounds = { min: 2n * int64Min, max: 2n * int64Max };
const nothing: Bounds = { min: 1n, max: 0n };

/** Whole numbers that a double lies between, if it is a number at all. */
export function numberBounds(low: number, high: number): Bounds {
  if (!(low >= -Number(knownMax) && high <= Number(knownMax))) return anything;
  return { min: BigInt(Math.floor(low)), max: BigInt(Math.ceil(high)) };
}

/** What follows for the result of an operator of JavaScript, or a choice between its numbers. */
export function numberFacts(
  fn: TypedFn,
  values: readonly (Bounds & { readonly decimals: number })[],
  decimals: number,
): Bounds {
  const [a, b] = values as [Bounds & { readonly decimals: number }, Bounds];
  if (fn === "case" || fn === "coalesce") return unionOf(values);
  if (fn === "js of truth") return { min: 0n, max: 1n };
  if (values.some(({ min, max }) => min > max)) return nothing;
  if (fn === "js number") {
    const factor = 10n ** BigInt(a.decimals);
    return known({ min: a.min / factor - 1n, max: a.max / factor + 1n });
  }
  if (fn === "js store") {
    if (!isKnown(a)) return beyond;
    const factor = 10n ** BigInt(decimals);
    return { min: a.min * factor, max: a.max * factor };
  }
  if (values.some((one) => !isKnown(one))) return anything;
  return known(operated(fn, a, b));
}

function operated(fn: TypedFn, a: Bounds, b: Bounds): Bounds {
  switch (fn) {
    case "js +":
      return { min: a.min + b.min - 1n, max: a.max + b.max + 1n };
    case "js -":
      return { min: a.min - b.max - 1n, max: a.max - b.min + 1n };
    case "js *": {
      const products = [a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max];
      return { min: products.reduce(smaller) - 1n, max: products.reduce(larger) + 1n };
    }
    case "js /":
      // A divisor between -1 and 1 makes more of what it divides.
      return b.min >= 1n || b.max <= -1n ? around(a) : anything;
    case "js %":
      return around(a);
    case "js negate":
      return { min: -a.max, max: -a.min };
    case "js abs":
      return { min: 0n, max: around(a).max };
    case "js sqrt":
      return { min: 0n, max: larger(a.max, 1n) };
    case "js min":
      return { min: smaller(a.min, b.min), max: smaller(a.max, b.max) };
    case "js max":
      return { min: larger(a.min, b.min), max: larger(a.max, b.max) };
    // Bounds are whole: rounding does not leave them.
    case "js floor":
    case "js ceil":
    case "js trunc":
    case "js round":
      return { min: a.min, max: a.max };
    default:
      return anything;
  }
}

function around({ min, max }: Bounds): Bounds {
  const most = larger(larger(min, -min), larger(max, -max)) + 1n;
  return { min: -most, max: most };
}

const isKnown = ({ min, max }: Bounds): boolean => min >= -knownMax && max <= knownMax;

function known(bounds: Bounds): Bounds {
  return isKnown(bounds) ? bounds : anything;
}

function unionOf(values: readonly Bounds[]): Bounds {
  const some = values.filter(({ min, max }) => min <= max);
  if (some.length === 0) return nothing;
  return {
    min: some.map(({ min }) => min).reduce(smaller),
    max: some.map(({ max }) => max).reduce(larger),
  };
}
