import type { Values } from "@hadal/kernel-wasm";
import type { DictionaryInts } from "../../column/encodedInts.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import type { WeighingContext } from "./sealContext.js";

/** Plain values and their weights; null: each is 1. */
export interface WeighedInts {
  readonly values: Values;
  readonly weights: Values | null;
  readonly count: number;
}

/** The input of a sealed column's sums and histogram. */
export interface IntSource {
  /** The values of all rows in the segment's order, not encoded. */
  readonly plain: () => Values;
  /** Weights of the rows; null where each is 1. */
  readonly weights: Values | null;
  /** The same in the shortest form: for few distinct values, each with the weight of its rows. */
  readonly weighed: WeighedInts;
}

export function intSource(
  { encoded, present }: Pick<IntColumn, "encoded" | "present">,
  plain: () => Values,
  weights: Values | null,
  context: WeighingContext,
): IntSource {
  const byCode =
    encoded?.kind === "dictionary" && encoded.codes.width === 1 && present === 0
      ? weighByCode(encoded, weights, context)
      : null;
  const weighed = byCode ?? { values: plain(), weights, count: context.rowCount };
  return { plain, weights, weighed };
}

/** A u32 for each code, and scratch. */
const codeWeightsBytes = 4096;

/** Null where weights do not fit 32 bits. */
function weighByCode(
  { table, tableCount, codes }: DictionaryInts,
  weights: Values | null,
  { kernel, rowCount, takeScratch, weightTotal }: WeighingContext,
): WeighedInts | null {
  if (weightTotal >= 2 ** 32) return null;
  const sums = takeScratch(codeWeightsBytes);
  kernel.weighCodes(sums, codes.address, tableCount, rowCount, weights);
  return { values: table, weights: { address: sums, width: 4 }, count: tableCount };
}
