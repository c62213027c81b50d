import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { bitsInts } from "./bitsInts.js";
import { dictionaryInts } from "./dictionaryInts.js";
import type { EncodedInts } from "./encodedInts.js";
import type { IntEncoding, OrderedInts, Part } from "./intEncoding.js";
import { packedInts } from "./packedInts.js";
import { sparseInts } from "./sparseInts.js";

/**
 * Every encoding of integers beside the frame of reference. A new one: a file, a kind in
 * encodedInts.ts and a line here.
 */
const encodings: {
  readonly [Kind in EncodedInts["kind"]]: IntEncoding<Extract<EncodedInts, { kind: Kind }>>;
} = {
  packed: packedInts,
  dictionary: dictionaryInts,
  bits: bitsInts,
  sparse: sparseInts,
};

/**
 * The encodings to choose from, and the bytes of plain values, which the chosen one has to save a
 * share of.
 */
export interface EncodingBound {
  readonly kinds: readonly EncodedInts["kind"][];
  readonly plainBytes: number;
}

/**
 * Encodes in the cheapest way, estimated by a sample of the rows; null when plain values are as
 * good.
 */
export function encodeInts(
  { kinds, plainBytes }: EncodingBound,
  sample: OrderedInts,
  ordered: () => OrderedInts,
  rowCount: number,
): EncodedInts | null {
  let best: EncodedInts["kind"] | null = null;
  let bestBytes = Number.POSITIVE_INFINITY;
  for (const kind of kinds) {
    const bytes = encodings[kind].estimateBytes(sample, rowCount);
    if (bytes > Math.min(bestBytes, bytesMaxOf(kind, plainBytes))) continue;
    best = kind;
    bestBytes = bytes;
  }
  return best && encodings[best].encode(ordered(), bytesMaxOf(best, plainBytes));
}

const bytesMaxOf = (kind: EncodedInts["kind"], plainBytes: number): number =>
  plainBytes * (1 - encodings[kind].savedShareMin);

const encodingOf = (encoded: EncodedInts): IntEncoding<EncodedInts> =>
  encodings[encoded.kind] as unknown as IntEncoding<EncodedInts>;

export function decodeInts(
  kernel: KernelOperations,
  out: Values,
  encoded: EncodedInts,
  rowCount: number,
): void {
  encodingOf(encoded).decode(kernel, out, encoded, rowCount);
}

/** Decoding writes whole blocks of rows. */
const blockRows = 128;

/** Bytes that decoded values take. */
export const decodedBytes = ({ width }: Values, rowCount: number): number =>
  Math.ceil(rowCount / blockRows) * blockRows * width;

export function readEncodedInt(
  view: DataView,
  encoded: EncodedInts,
  rowIndex: number,
  rowCount: number,
): bigint {
  return encodingOf(encoded).read(view, encoded, rowIndex, rowCount);
}

export const partsOfEncoded = (encoded: EncodedInts, rowCount: number): readonly Part[] =>
  encodingOf(encoded).partsOf(encoded, rowCount);

export const movedEncoded = (encoded: EncodedInts, addresses: readonly number[]): EncodedInts =>
  encodingOf(encoded).moved(encoded, addresses);

export const encodedBytes = (encoded: EncodedInts, rowCount: number): number =>
  partsOfEncoded(encoded, rowCount).reduce((sum, { bytes }) => sum + bytes, 0);
