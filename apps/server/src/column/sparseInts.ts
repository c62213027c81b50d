import type { SparseInts } from "./encodedInts.js";
import type { IntEncoding, OrderedInts } from "./intEncoding.js";
import { widthFor } from "./valueWidth.js";

const wordRows = 64;

const wordsOf = (rowCount: number): number => Math.ceil(rowCount / wordRows);

/** Bytes of the bitmap, and of how many rows before each of its words have a value. */
const presentBytes = (rowCount: number): number => wordsOf(rowCount) * 8;
const ranksBytes = (rowCount: number): number => wordsOf(rowCount) * 2;

/** Codes that most rows do not have: 0 for those, and the others end to end. */
export const sparseInts: IntEncoding<SparseInts> = {
  savedShareMin: 0.4,
  estimateBytes: (sample, rowCount) => {
    const present = sample.takeScratch(presentBytes(sample.rowCount));
    const share = selectPresent(sample, present) / sample.rowCount;
    const width = widthFor(sample.span);
    return presentBytes(rowCount) + ranksBytes(rowCount) + share * rowCount * width;
  },
  encode: (ints, bytesMax) => {
    const { memory, kernel, values, rowCount, span, allocate, takeScratch } = ints;
    const selected = takeScratch(presentBytes(rowCount));
    const codeCount = selectPresent(ints, selected);
    const width = widthFor(span);
    const bytes = presentBytes(rowCount) + ranksBytes(rowCount) + codeCount * width;
    if (values.width !== 4 || bytes > bytesMax) return null;
    const present = allocate(presentBytes(rowCount));
    const copied = new Uint8Array(memory.buffer);
    copied.copyWithin(present, selected, selected + presentBytes(rowCount));
    const ranks = allocate(ranksBytes(rowCount));
    writeRanks(new Uint16Array(memory.buffer, ranks, wordsOf(rowCount)), memory, present);
    const rows = takeScratch((codeCount + 16) * 4);
    kernel.rowsOfSelection(present, rowCount, rows);
    const codes = { address: allocate(codeCount * width), width };
    if (codeCount > 0) kernel.permuteCodes(codes, values.address, rows, codeCount);
    return { kind: "sparse", present, ranks, codes, codeCount };
  },
  decode: (kernel, out, { present, codes }, rowCount) =>
    kernel.spreadCodes(out, present, codes.address, rowCount),
  read: (view, { present, ranks, codes }, rowIndex) => {
    const word = Math.floor(rowIndex / wordRows);
    const bits = view.getBigUint64(present + word * 8, true);
    const bit = BigInt(rowIndex % wordRows);
    if (((bits >> bit) & 1n) === 0n) return 0n;
    const rank = view.getUint16(ranks + word * 2, true) + countOnes(bits & ((1n << bit) - 1n));
    let code = 0;
    for (let i = codes.width - 1; i >= 0; i--) {
      code = code * 256 + view.getUint8(codes.address + rank * codes.width + i);
    }
    return BigInt(code);
  },
  partsOf: ({ present, ranks, codes, codeCount }, rowCount) => [
    { address: present, bytes: presentBytes(rowCount) },
    { address: ranks, bytes: ranksBytes(rowCount) },
    { address: codes.address, bytes: codeCount * codes.width },
  ],
  moved: (encoded, [present, ranks, codes]) => ({
    ...encoded,
    present: present!,
    ranks: ranks!,
    codes: { ...encoded.codes, address: codes! },
  }),
};

/** Sets the bits of rows that have a value; returns how many do. */
function selectPresent({ kernel, values, rowCount, span }: OrderedInts, out: number): number {
  kernel.selectRange(out, values, rowCount, 1n, span > 1n ? span : 1n);
  return kernel.countSelected(out, rowCount);
}

/** A segment has 65,536 rows at most: before its last word there are fewer. */
function writeRanks(ranks: Uint16Array, memory: WebAssembly.Memory, present: number): void {
  const words = new BigUint64Array(memory.buffer, present, ranks.length);
  let rank = 0;
  for (const [i, word] of words.entries()) {
    ranks[i] = rank;
    rank += countOnes(word);
  }
}

function countOnes(word: bigint): number {
  let ones = 0;
  for (let half of [Number(word & 0xffff_ffffn), Number(word >> 32n)]) {
    half -= (half >>> 1) & 0x5555_5555;
    half = (half & 0x3333_3333) + ((half >>> 2) & 0x3333_3333);
    ones += Math.imul((half + (half >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return ones;
}
