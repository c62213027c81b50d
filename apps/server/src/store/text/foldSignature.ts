import type { PageSignature } from "@hadal/kernel-wasm";
import type { LeafMemory } from "../../memory/leafMemory.js";

/**
 * Beside compressed pages a signature of raw ones takes too much room: it is halved while it stays
 * this sparse, so that a needle of ten bytes still rules out 97 of 100 pages.
 */
export const lz4FillMax = 0.6;
/** Pages made from templates take half of that: 94 of 100. */
export const templatedFillMax = 0.67;
const rowsLog2Min = 8;

/** A copy of a signature: for every eight pages a plane of 2^rowsLog2 bytes. */
export interface FoldedSignature {
  readonly bytes: Uint8Array;
  readonly rowsLog2: number;
}

/**
 * The smaller signature for pages that are stored compressed: each half of a plane laid over the
 * other.
 */
export function foldSignature(
  { address, rowsLog2 }: PageSignature,
  pageCount: number,
  memory: LeafMemory,
  fillMax: number,
): FoldedSignature {
  const planes = Math.ceil(pageCount / 8);
  let folded: FoldedSignature = {
    bytes: memory.bytes.slice(address, address + (planes << rowsLog2)),
    rowsLog2,
  };
  while (folded.rowsLog2 > rowsLog2Min) {
    const empty = 1 - countOnes(folded.bytes) / (pageCount * 2 ** folded.rowsLog2);
    if (1 - empty * empty > fillMax) break;
    folded = halved(folded, planes);
  }
  return folded;
}

function halved({ bytes, rowsLog2 }: FoldedSignature, planes: number): FoldedSignature {
  const half = 2 ** (rowsLog2 - 1);
  const out = new Uint8Array(planes * half);
  for (let plane = 0; plane < planes; plane++) {
    for (let i = 0; i < half; i++) {
      out[plane * half + i] = bytes[plane * 2 * half + i]! | bytes[plane * 2 * half + half + i]!;
    }
  }
  return { bytes: out, rowsLog2: rowsLog2 - 1 };
}

/** Number of set bits; the length is a multiple of four. */
function countOnes(bytes: Uint8Array): number {
  let ones = 0;
  for (const word of new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)) {
    const pairs = word - ((word >>> 1) & 0x5555_5555);
    const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
    ones += Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return ones;
}
