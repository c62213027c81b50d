import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import { decodedWidth, type OrderedInts } from "../column/intEncoding.js";
import { encodeInts } from "../column/intEncodings.js";
import type { StoredInts } from "../column/segmentColumn.js";
import { widthFor } from "../column/valueWidth.js";

/** The encodings are judged by these many blocks of 128 rows, spread over the segment: one row in 64 of a full one. */
const sampledBlocks = 8;
const blockRows = 128;

export interface SealIntsContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly rowCount: number;
  /** u32 × rowCount: the rows of the open segment in their new order; 0: they keep theirs. */
  readonly order: number;
  /** Memory of the sealed segment, */
  readonly allocate: (bytes: number) => number;
  /** and what is given back once it is sealed. */
  readonly takeScratch: (bytes: number) => number;
}

/** Integers of an open segment: i64 at an address. */
export interface OpenInts {
  readonly address: number;
  readonly present: number;
  readonly min: bigint;
  readonly max: bigint;
}

/** Writes the integers in their new order in the cheapest way: constant, from a frame of reference, or encoded in one of these. */
export function sealInts(
  open: OpenInts,
  kinds: readonly EncodedInts["kind"][],
  context: SealIntsContext,
): StoredInts {
  const { rowCount } = context;
  const span = open.max - open.min;
  const width = widthFor(span);
  const base = width === 8 ? 0n : open.min;
  const encoded = encode(open, base, span, kinds, width * rowCount, context);
  if (encoded === null) return { values: sealFrame(open, base, width, context), base, encoded };
  return { values: { address: undecodedAddress, width: decodedWidth(span) }, base, encoded };
}

/** Plain values of this width. */
export function sealFrame(
  { address, present }: Pick<OpenInts, "address" | "present">,
  base: bigint,
  width: Values["width"],
  { kernel, rowCount, order, allocate }: SealIntsContext,
): Values {
  if (width === 0) return { address: 0, width };
  const values = { address: allocate(rowCount * width), width };
  kernel.permuteInts(values, address, present, order, rowCount, base);
  return values;
}

function encode(
  open: OpenInts,
  base: bigint,
  span: bigint,
  kinds: readonly EncodedInts["kind"][],
  plainBytes: number,
  context: SealIntsContext,
): EncodedInts | null {
  const { memory, kernel, rowCount, order, allocate, takeScratch } = context;
  if (kinds.length === 0 || plainBytes === 0) return null;
  const width = decodedWidth(span);
  const inOrder = (address: number, rows: number): OrderedInts => ({
    ...{ memory, kernel, values: { address, width }, rowCount: rows, span, allocate, takeScratch },
  });
  const sampled = Math.min(rowCount, sampledBlocks * blockRows);
  const sample = inOrder(takeScratch(sampled * width), sampled);
  writeSample(sample, open, base, context);
  const ordered = (): OrderedInts => {
    if (sampled === rowCount) return sample;
    const address = takeScratch(rowCount * width);
    const out = { address, width };
    kernel.permuteInts(out, open.address, open.present, order, rowCount, base);
    return inOrder(address, rowCount);
  };
  return encodeInts(kinds, sample, ordered, rowCount, plainBytes);
}

/** All rows of a small segment, of any other the blocks to judge by. */
function writeSample(
  { values: { address, width }, rowCount: sampled }: OrderedInts,
  open: OpenInts,
  base: bigint,
  { kernel, rowCount, order }: SealIntsContext,
): void {
  const blocks = sampled === rowCount ? 1 : sampledBlocks;
  const rows = sampled / blocks;
  for (let block = 0; block < blocks; block++) {
    // Whole blocks from a whole block on, so that the bits of presence begin with a byte.
    const last = Math.floor((rowCount - rows) / blockRows);
    const firstRow = Math.floor((block * last) / Math.max(1, blocks - 1)) * blockRows;
    const out = { address: address + block * rows * width, width };
    if (order === 0) {
      const present = open.present === 0 ? 0 : open.present + firstRow / 8;
      kernel.permuteInts(out, open.address + firstRow * 8, present, 0, rows, base);
    } else {
      kernel.permuteInts(out, open.address, open.present, order + firstRow * 4, rows, base);
    }
  }
}
