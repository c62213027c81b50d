import type { Values } from "@hadal/kernel-wasm";
import type { SectionArray, SectionReader } from "../../base/bytes/sections.js";
import { type EncodedInts, undecodedAddress } from "../../column/encodedInts.js";
import { movedEncoded, partsOfEncoded } from "../../column/intEncodings.js";
import type { StoredInts } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/**
 * The head of integers in a segment's file; their bytes are sections: one for plain values, one for
 * each part of encoded ones.
 */
export interface IntsHead {
  readonly width: Values["width"];
  readonly base: string;
  /** Addresses in it are those of the leaf that wrote the file. */
  readonly encoded: EncodedInts | null;
}

export function encodeIntSections(
  { values, base, encoded }: StoredInts,
  rowCount: number,
  memory: LeafMemory,
): { head: IntsHead; sections: SectionArray[] } {
  const parts =
    encoded === null
      ? [{ address: values.address, bytes: rowCount * values.width }]
      : partsOfEncoded(encoded, rowCount);
  return {
    head: { width: values.width, base: base.toString(), encoded },
    sections: parts.map(({ address, bytes }) => memory.bytes.subarray(address, address + bytes)),
  };
}

export function decodeIntSections(
  { width, base, encoded }: IntsHead,
  rowCount: number,
  reader: SectionReader<unknown>,
  place: (bytes: Uint8Array) => number,
): StoredInts {
  if (encoded === null) {
    const bytes = reader.bytes();
    const address = width === 0 ? 0 : place(bytes);
    return { values: { address, width }, base: BigInt(base), encoded };
  }
  const addresses = partsOfEncoded(encoded, rowCount).map(() => place(reader.bytes()));
  return {
    values: { address: undecodedAddress, width },
    base: BigInt(base),
    encoded: movedEncoded(encoded, addresses),
  };
}
