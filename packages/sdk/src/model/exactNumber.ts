import type { BucketBound } from "./query.js";

/**
 * A number as queries take it: integers beyond 2^53, which doubles and JSON lose digits of, as
 * their digits.
 */
export function exactNumber(written: BucketBound): BucketBound {
  const number = Number(written);
  if (!Number.isInteger(number) || Number.isSafeInteger(number)) return number;
  const isWhole = typeof written === "string" && /^-?\d+$/.test(written);
  return BigInt(isWhole ? written : number).toString();
}

/** The same as an amount: a BigInt where a number would lose digits. The two compare exactly. */
export function exactAmount(written: BucketBound): number | bigint {
  const exact = exactNumber(written);
  return typeof exact === "string" ? BigInt(exact) : exact;
}
