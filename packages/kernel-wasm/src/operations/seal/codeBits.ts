import type { BitmapAddress, Values } from "../../base/addresses.js";

/**
 * Codes of a few bits: blocks of 128 rows, of 16 · bits bytes. Row 16 p + lane of a block has its
 * bits at p · bits of the lane's own run of bytes, which are the bytes lane, 16 + lane, 32 + lane …
 * of the block.
 */
export interface CodeBitsOperations {
  /** Packs u32 codes below 2^bits, 1 <= bits <= 7; the last block is filled with zeros. */
  packCodes(out: number, codes: number, rowCount: number, bits: number): void;
  /** Writes whole blocks of codes, a byte each. */
  unpackCodes(out: number, packed: number, rowCount: number, bits: number): void;
  /** out = the codes (as wide) of the rows that have one, in their order; 0 for all others. */
  spreadCodes(out: Values, present: BitmapAddress, codes: number, rowCount: number): void;
}

/** The operations of assembly/seal/codeBits.ts. */
export function codeBitsOperations(exports: WebAssembly.Exports): CodeBitsOperations {
  const wasm = exports as unknown as CodeBitsExports;
  return {
    packCodes: wasm.packCodes,
    unpackCodes: wasm.unpackCodes,
    spreadCodes: ({ address, width }, present, codes, rowCount) =>
      wasm.spreadCodes(address, width, present, codes, rowCount),
  };
}

interface CodeBitsExports extends Pick<CodeBitsOperations, "packCodes" | "unpackCodes"> {
  spreadCodes(
    ...a: [out: number, width: number, present: number, codes: number, rowCount: number]
  ): void;
}
