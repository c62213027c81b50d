import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import { decodedWidth, type OrderedInts } from "../column/intEncoding.js";
import { encodeInts } from "../column/intEncodings.js";
import type { StoredInts } from "../column/segmentColumn.js";
import { widthFor } from "../column/valueWidth.js";
import { type RowSample, sampledCount } from "./sampleRows.js";

/** The encodings are judged by so many blocks of rows, spread over the segment: one row in 64 of a full one. */
export const encodingSample: RowSample = { runs: 8, runRows: 128, wholeMax: 1_024 };

export interface SealContext {
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

export interface SealIntsContext extends SealContext {
  /** u32 each: the rows of the open segment that `encodingSample` takes of the new order; 0 where it is all of them. */
  readonly sampledOrder: number;
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
  const { memory, kernel, rowCount, order, sampledOrder, allocate, takeScratch } = context;
  if (kinds.length === 0 || plainBytes === 0) return null;
  const width = decodedWidth(span);
  const permuted = (rowsInOrder: number, rows: number): OrderedInts => {
    const values = { address: takeScratch(rows * width), width };
    kernel.permuteInts(values, open.address, open.present, rowsInOrder, rows, base);
    return { memory, kernel, values, rowCount: rows, span, allocate, takeScratch };
  };
  const sample =
    sampledOrder === 0
      ? permuted(order, rowCount)
      : permuted(sampledOrder, sampledCount(encodingSample));
  const ordered = (): OrderedInts => (sampledOrder === 0 ? sample : permuted(order, rowCount));
  return encodeInts(kinds, sample, ordered, rowCount, plainBytes);
}
