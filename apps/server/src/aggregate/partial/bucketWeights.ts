import type { SectionReader } from "../../base/bytes/sections.js";

/** Weights of buckets, in the narrowest array type that fits the largest: with many groups millions are sent. */
export type BucketWeights = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Bytes per element of the narrowest array type that fits whole numbers up to `most`. */
export function weightBytesFor(most: number): number {
  if (most < 2 ** 8) return 1;
  if (most < 2 ** 16) return 2;
  return most < 2 ** 32 ? 4 : 8;
}

export function createWeights(bytes: number, length: number): BucketWeights {
  switch (bytes) {
    case 1:
      return new Uint8Array(length);
    case 2:
      return new Uint16Array(length);
    case 4:
      return new Uint32Array(length);
    default:
      return new Float64Array(length);
  }
}

export function readWeights(bytes: number, reader: SectionReader<unknown>): BucketWeights {
  switch (bytes) {
    case 1:
      return reader.bytes();
    case 2:
      return reader.u16();
    case 4:
      return reader.u32();
    case 8:
      return reader.f64();
    default:
      throw new Error(`weights have no ${bytes} bytes`);
  }
}

export function largestOf(weights: BucketWeights): number {
  let largest = 0;
  for (let i = 0; i < weights.length; i++) if (weights[i]! > largest) largest = weights[i]!;
  return largest;
}
