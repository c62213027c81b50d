import type { StateColumn } from "../partial/partialResult.js";
import { columnOf, expectCount, type StateKind, takeNumbers } from "./stateKind.js";

type SumColumn = Extract<StateColumn, { readonly kind: "sum" }>;

const two32 = 2 ** 32;
/** Beyond it a sum is unknown; what overflowed stays so, whatever is added. */
const hiMax = 2 ** 53;
/** |hi| below this: hi · 2^32 + lo is exact in an f64. */
const hiSafe = 2 ** 21;

/** Exact weighted sums of integers in two words, hi · 2^32 + lo, and the weight of what was summed. */
export const sumState: StateKind = {
  create: (groupCount): SumColumn => ({
    kind: "sum",
    hi: new Float64Array(groupCount),
    lo: new Float64Array(groupCount),
    weights: new Float64Array(groupCount),
  }),

  merge(inputs, groupCount): SumColumn {
    const hi = new Float64Array(groupCount);
    const lo = new Float64Array(groupCount);
    const weights = new Float64Array(groupCount);
    for (const { column, groups } of inputs) {
      const from = columnOf(column, "sum");
      for (let i = 0; i < groups.length; i++) {
        const group = groups[i]!;
        const low = lo[group]! + from.lo[i]!;
        const carry = low >= two32 ? 1 : 0;
        lo[group] = low - carry * two32;
        hi[group] = addHigh(hi[group]!, from.hi[i]!, carry);
        weights[group]! += from.weights[i]!;
      }
    }
    return { kind: "sum", hi, lo, weights };
  },

  take(column, groups): SumColumn {
    const { hi, lo, weights } = columnOf(column, "sum");
    return {
      kind: "sum",
      hi: takeNumbers(hi, groups),
      lo: takeNumbers(lo, groups),
      weights: takeNumbers(weights, groups),
    };
  },

  encode(column) {
    const { hi, lo, weights } = columnOf(column, "sum");
    return { head: { kind: "sum" }, sections: [hi, lo, weights] };
  },

  decode: (_, reader): SumColumn => ({
    kind: "sum",
    hi: reader.f64(),
    lo: reader.f64(),
    weights: reader.f64(),
  }),

  check(column, groupCount) {
    const { hi, lo, weights } = columnOf(column, "sum");
    for (const part of [hi, lo, weights]) expectCount("sums", part.length, groupCount);
  },
};

/** A finished sum: exact (a bigint beyond 2^53), null when no value was present, or overflowed. */
export type SumValue = number | bigint | null | "overflow";

export function sumOf(column: StateColumn, group: number): SumValue {
  const { hi, lo, weights } = columnOf(column, "sum");
  if (weights[group] === 0) return null;
  const high = hi[group]!;
  if (Math.abs(high) < hiSafe) return high * two32 + lo[group]!;
  // int64 and no further, as the contract of results says.
  if (!fitsInt64(high)) return "overflow";
  return BigInt(high) * 4_294_967_296n + BigInt(lo[group]!);
}

/** All sums as doubles, Infinity where no value was present; null when one is not exact so. */
export function exactSums(column: StateColumn): Float64Array | null {
  const { hi, lo, weights } = columnOf(column, "sum");
  const sums = new Float64Array(hi.length);
  for (let i = 0; i < hi.length; i++) {
    const high = hi[i]!;
    if (weights[i] === 0) sums[i] = Number.POSITIVE_INFINITY;
    else if (Math.abs(high) < hiSafe) sums[i] = high * two32 + lo[i]!;
    else return null;
  }
  return sums;
}

/** The first group whose sum does not fit int64, or -1. */
export function firstOverflow(column: StateColumn): number {
  const { hi } = columnOf(column, "sum");
  for (let i = 0; i < hi.length; i++) if (!fitsInt64(hi[i]!)) return i;
  return -1;
}

/** The sum as an f64, which goes far beyond int64; for rates. */
export function floatSumOf(column: StateColumn, group: number): number | null | "overflow" {
  const { hi, lo, weights } = columnOf(column, "sum");
  if (weights[group] === 0) return null;
  if (!(Math.abs(hi[group]!) < hiMax)) return "overflow";
  return hi[group]! * two32 + lo[group]!;
}

/** The sum whatever its size, as long as it is known. */
export function exactSumOf(column: StateColumn, group: number): bigint | "overflow" {
  const { hi, lo } = columnOf(column, "sum");
  if (!(Math.abs(hi[group]!) < hiMax)) return "overflow";
  return BigInt(hi[group]!) * 4_294_967_296n + BigInt(lo[group]!);
}

/** The weighted mean, null when no value was present. */
export function averageOf(column: StateColumn, group: number): number | null | "overflow" {
  const sum = floatSumOf(column, group);
  return typeof sum === "number" ? sum / columnOf(column, "sum").weights[group]! : sum;
}

/** Numbers to rank by, near the sums: Infinity where no value was present, and an overflowed one is larger than all. */
export function roughSums(column: StateColumn): Float64Array {
  const { hi, lo, weights } = columnOf(column, "sum");
  const sums = new Float64Array(hi.length);
  for (let i = 0; i < sums.length; i++) {
    sums[i] = weights[i] === 0 ? Number.POSITIVE_INFINITY : hi[i]! * two32 + lo[i]!;
  }
  return sums;
}

function fitsInt64(high: number): boolean {
  return high >= -(2 ** 31) && high < 2 ** 31;
}

function addHigh(a: number, b: number, carry: number): number {
  const sum = a + b + carry;
  return Math.abs(sum) < hiMax ? sum : Number.POSITIVE_INFINITY;
}
