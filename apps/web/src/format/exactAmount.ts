import { type BucketBound, exactNumber } from "@hadal/sdk";

/** A BigInt where a number would lose digits: the two compare exactly. */
export function amountOf(bound: BucketBound): number | bigint {
  const exact = exactNumber(bound);
  return typeof exact === "string" ? BigInt(exact) : exact;
}
