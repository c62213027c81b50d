import type { Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import { decodedWidth, type OrderedInts } from "../column/intEncoding.js";
import { encodeInts } from "../column/intEncodings.js";
import type { StoredInts } from "../column/segmentColumn.js";
import { widthFor } from "../column/valueWidth.js";
import { type RowSample, sampledCount } from "./sampleRows.js";
import type { SealContext } from "./sealContext.js";

/** The encodings are judged by so many blocks of rows, spread over the segment: one row in 64 of a full one. */
export const encodingSample: RowSample = { runs: 8, runRows: 128, wholeMax: 1_024 };

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

export interface SealedInts {
  readonly stored: StoredInts;
  /** The same values in the same order, none encoded: those stored, or in scratch, for as long as that is not given back. */
  readonly plain: Values;
}

/** Writes the integers in their new order in the cheapest way: constant, from a frame of reference, or encoded in one of these. */
export function sealInts(
  open: OpenInts,
  kinds: readonly EncodedInts["kind"][],
  context: SealIntsContext,
): SealedInts {
  const { rowCount } = context;
  const span = open.max - open.min;
  const width = widthFor(span);
  const base = width === 8 ? 0n : open.min;
  const found = encode(open, base, span, kinds, width * rowCount, context);
  if (found === null) {
    const plain = sealFrame(open, base, width, context);
    return { stored: { values: plain, base, encoded: null }, plain };
  }
  const { encoded, plain } = found;
  const values = { address: undecodedAddress, width: decodedWidth(span) };
  return { stored: { values, base, encoded }, plain };
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
): { encoded: EncodedInts; plain: Values } | null {
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
  let plain = sample.values;
  const ordered = (): OrderedInts => {
    if (sampledOrder === 0) return sample;
    const all = permuted(order, rowCount);
    plain = all.values;
    return all;
  };
  const encoded = encodeInts(kinds, sample, ordered, rowCount, plainBytes);
  return encoded && { encoded, plain };
}
