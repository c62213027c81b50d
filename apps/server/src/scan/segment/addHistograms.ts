import { subBitsMax } from "@hadal/kernel-wasm";
import { createWeights, weightBytesFor } from "../../aggregate/partial/bucketWeights.js";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import {
  readBuckets,
  type SegmentHistogram,
  type SegmentWeights,
} from "../../store/segment/segmentHistogram.js";

/** Buckets are numbered from -4,033 to 4,033. */
const middle = 4_096;

/** The histograms of these segments, by their places, as one group. */
export function addHistograms(
  histograms: readonly (SegmentHistogram | null)[],
  segments: Int32Array,
  buffer: ArrayBufferLike,
): StateColumn {
  const sums = new Float64Array(middle * 2);
  let low = middle;
  let high = -middle;
  for (const segment of segments) {
    const histogram = histograms[segment];
    if (histogram === null || histogram === undefined) throw new Error("there is no histogram");
    if (histogram.count === 0) continue;
    const { buckets, weights } = readBuckets(buffer, histogram);
    low = Math.min(low, buckets[0]!);
    high = Math.max(high, buckets[buckets.length - 1]!);
    addWeights(sums, buckets, weights);
  }
  return sparse(sums, low, high);
}

function addWeights(sums: Float64Array, buckets: Int16Array, weights: SegmentWeights): void {
  for (let i = 0; i < buckets.length; i++) sums[buckets[i]! + middle]! += weights[i]!;
}

/** Lists the buckets from low to high that are not empty. */
function sparse(sums: Float64Array, low: number, high: number): StateColumn {
  let count = 0;
  let most = 0;
  for (let bucket = low; bucket <= high; bucket++) {
    const sum = sums[bucket + middle]!;
    if (sum === 0) continue;
    count++;
    if (sum > most) most = sum;
  }
  const buckets = new Int16Array(count);
  const weights = createWeights(weightBytesFor(most), count);
  for (let bucket = low, at = 0; bucket <= high; bucket++) {
    const sum = sums[bucket + middle]!;
    if (sum === 0) continue;
    buckets[at] = bucket;
    weights[at++] = sum;
  }
  const offsets = Uint32Array.of(0, count);
  return { kind: "histogram", form: "listed", subBits: subBitsMax, offsets, buckets, weights };
}
