import type { Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../../column/encodedInts.js";
import type { OrderedInts } from "../../column/intEncoding.js";
import { encodeInts } from "../../column/intEncodings.js";
import { widthFor } from "../../column/valueWidth.js";
import { sampledCount } from "../segment/rowSample.js";
import { encodingSample, type SealContext } from "../segment/sealContext.js";

const codeKinds: readonly EncodedInts["kind"][] = ["bits", "sparse"];
/**
 * For a segment's own dictionary: its codes were given in the order of the rows and mostly ascend
 * by one.
 */
export const ownCodeKinds: readonly EncodedInts["kind"][] = [...codeKinds, "packed"];

export interface StoredCodes {
  readonly values: Values;
  readonly encoded: EncodedInts | null;
}

/**
 * Writes codes (u32 at the address, none above `largest`) in their new order: encoded, or as wide
 * as the largest.
 */
export function sealCodes(
  address: number,
  largest: bigint,
  context: SealContext,
  kinds: readonly EncodedInts["kind"][] = codeKinds,
): StoredCodes {
  const { memory, kernel, rowCount, order, sampledOrder, allocate, takeScratch } = context;
  const width = widthFor(largest);
  const ints = (at: number, rows: number): OrderedInts => ({
    ...{ memory, kernel, values: { address: at, width: 4 }, rowCount: rows, span: largest },
    ...{ allocate, takeScratch },
  });
  const permuted = (rowsInOrder: number, rows: number): OrderedInts => {
    const out = takeScratch(rows * 4);
    kernel.permuteCodes({ address: out, width: 4 }, address, rowsInOrder, rows);
    return ints(out, rows);
  };
  const ordered = (): OrderedInts =>
    order === 0 ? ints(address, rowCount) : permuted(order, rowCount);
  const sample =
    sampledOrder === 0
      ? ints(address, rowCount)
      : permuted(sampledOrder, sampledCount(encodingSample));
  const encoded = encodeInts({ kinds, plainBytes: width * rowCount }, sample, ordered, rowCount);
  if (encoded !== null) {
    const decoded = encoded.kind === "packed" ? 4 : width;
    return { values: { address: undecodedAddress, width: decoded }, encoded };
  }
  const values = { address: allocate(rowCount * width), width };
  kernel.permuteCodes(values, address, order, rowCount);
  return { values, encoded };
}
