import {
  type HistogramShape,
  type KernelOperations,
  logLinearBucket,
  subBitsMax,
} from "@hadal/kernel-wasm";
import { assert } from "../../base/assert.js";
import { align8 } from "../../base/bytes/sections.js";
import { fitsFloat32 } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import type { WeighedInts } from "./weighedInts.js";

/**
 * Weights of a segment's values by log-linear bucket of 64 steps for each power of two, as in a
 * scan. In the leaf's memory: the numbers of the buckets that are not empty, ascending, an i16
 * each, padded to 8 bytes; then their weights, unsigned of 1, 2 or 4 bytes, or f64.
 */
export interface SegmentHistogram {
  readonly address: number;
  readonly count: number;
  readonly weightBytes: WeightBytes;
}

export type WeightBytes = 1 | 2 | 4 | 8;

/**
 * It pays where it takes at most this share of its column's bytes: reading it is that much faster
 * than scanning.
 */
const columnShareMax = 1 / 32;

export function histogramBytes({ count, weightBytes }: Omit<SegmentHistogram, "address">): number {
  return align8(count * 2) + count * weightBytes;
}

export function readBuckets(
  buffer: ArrayBufferLike,
  histogram: SegmentHistogram,
): { readonly buckets: Int16Array; readonly weights: SegmentWeights } {
  const { address, count, weightBytes } = histogram;
  const buckets = new Int16Array(buffer, address, count);
  return { buckets, weights: weightsAt(buffer, weightsAddress(histogram), count, weightBytes) };
}

const weightsAddress = ({ address, count }: SegmentHistogram): number =>
  address + align8(count * 2);

export type SegmentWeights = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function weightsAt(
  buffer: ArrayBufferLike,
  address: number,
  count: number,
  weightBytes: WeightBytes,
): SegmentWeights {
  switch (weightBytes) {
    case 1:
      return new Uint8Array(buffer, address, count);
    case 2:
      return new Uint16Array(buffer, address, count);
    case 4:
      return new Uint32Array(buffer, address, count);
    case 8:
      return new Float64Array(buffer, address, count);
  }
}

/** The input of a histogram. */
export interface HistogramSource {
  readonly column: IntColumn;
  readonly weighed: WeighedInts;
  /** The column's bytes in the sealed segment. */
  readonly columnBytes: number;
}

export interface HistogramContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  /** Takes memory that the sealed segment keeps. */
  readonly allocate: (bytes: number) => number;
  /** Takes memory that is given back once the histogram is sealed. */
  readonly takeScratch: (bytes: number) => number;
}

/** Null where it would not pay. */
export function sealHistogram(
  { column, weighed, columnBytes }: HistogramSource,
  { memory, kernel, allocate, takeScratch }: HistogramContext,
): SegmentHistogram | null {
  const bytesMax = columnBytes * columnShareMax;
  if (bytesMax < histogramBytes({ count: 1, weightBytes: 1 })) return null;
  const { base, present, min, max } = column;
  assert(min <= max, "a column without values is not sealed");
  const firstBucket = logLinearBucket(min, subBitsMax);
  const bucketCount = logLinearBucket(max, subBitsMax) - firstBucket + 1;
  const shape: HistogramShape = { subBits: subBitsMax, firstBucket, bucketCount };
  const counters = takeScratch(bucketCount * 8);
  kernel.clearKeys(counters, bucketCount);
  const { values, weights, count: valueCount } = weighed;
  const rows = { start: 0, count: valueCount, rows: 0 };
  kernel.addToHistograms(
    ...([counters, 0, rows, values, base, weights, present] as const),
    ...([fitsFloat32(column), shape] as const),
  );
  const bits = takeScratch(8);
  const count = kernel.countFilled(bits, counters, bucketCount);
  const weightBytes = weightBytesFor(new DataView(memory.buffer).getBigUint64(bits, true));
  const bytes = histogramBytes({ count, weightBytes });
  if (bytes > bytesMax) return null;
  const address = allocate(bytes);
  const sealed: SegmentHistogram = { address, count, weightBytes };
  kernel.packBuckets(
    ...([address, weightsAddress(sealed), weightBytes] as const),
    ...([counters, bucketCount, firstBucket] as const),
  );
  return sealed;
}

/** The width for weights with no bits beyond these. */
function weightBytesFor(bits: bigint): WeightBytes {
  if (bits < 2n ** 8n) return 1;
  if (bits < 2n ** 16n) return 2;
  return bits < 2n ** 32n ? 4 : 8;
}
