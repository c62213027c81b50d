import type { Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import type { OrderedInts } from "../column/intEncoding.js";
import { encodeInts } from "../column/intEncodings.js";
import { widthFor } from "../column/valueWidth.js";
import type { SealContext } from "./sealContext.js";

const codeKinds: readonly EncodedInts["kind"][] = ["bits", "sparse"];
/** Of a segment's own dictionary: codes that were given in the order of rows ascend by one as a rule. */
export const ownCodeKinds: readonly EncodedInts["kind"][] = [...codeKinds, "packed"];

export interface StoredCodes {
  readonly values: Values;
  readonly encoded: EncodedInts | null;
}

/** Writes codes (u32 at the address, none above `largest`) in their new order in the cheapest way: as wide as the largest, or encoded. */
export function sealCodes(
  address: number,
  largest: bigint,
  { memory, kernel, rowCount, order, allocate, takeScratch }: SealContext,
  kinds: readonly EncodedInts["kind"][] = codeKinds,
): StoredCodes {
  const width = widthFor(largest);
  const ints = (at: number): OrderedInts => ({
    ...{ memory, kernel, values: { address: at, width: 4 }, rowCount, span: largest },
    ...{ allocate, takeScratch },
  });
  // What they would take hardly depends on their order.
  const encoded = encodeInts(kinds, ints(address), ordered, rowCount, width * rowCount);
  if (encoded !== null) {
    const decoded = encoded.kind === "packed" ? 4 : width;
    return { values: { address: undecodedAddress, width: decoded }, encoded };
  }
  const values = { address: allocate(rowCount * width), width };
  kernel.permuteCodes(values, address, order, rowCount);
  return { values, encoded };

  function ordered(): OrderedInts {
    if (order === 0) return ints(address);
    const out = takeScratch(rowCount * 4);
    kernel.permuteCodes({ address: out, width: 4 }, address, order, rowCount);
    return ints(out);
  }
}
