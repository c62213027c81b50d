/**
 * Log-linear buckets: each power of two is cut into 2^subBits equal steps, so a bucket's middle is
 * within 2^-(subBits+1) of every value in it (after HdrHistogram and DDSketch; here cut from the
 * bits of an f64, as measured in the kernel). Bucket 0 holds 0; positive values have positive
 * numbers, negative values the mirrored negative ones, so numbers ascend with values. Halving
 * subBits is a shift: histograms of different fineness merge.
 */
const bits = new DataView(new ArrayBuffer(8));

/** 2^-7: within 0.8 %. */
export const subBitsMax = 6;

/**
 * Bucket of an integer; beyond 2^53 a number is taken as rounded, possibly to the next power of
 * two.
 */
export function logLinearBucket(value: number | bigint, subBits: number): number {
  const near = typeof value === "number" ? value : cutNumber(value);
  if (near === 0) return 0;
  bits.setFloat64(0, Math.abs(near));
  // The exponent and the first 20 bits of the fraction are all there is in the upper half.
  const top = bits.getUint32(0) >>> (20 - subBits);
  const bucket = top - (1023 << subBits) + 1;
  return value < 0 ? -bucket : bucket;
}

/** The double that is nearest towards zero: it has the same first bits. */
function cutNumber(value: bigint): number {
  const near = Number(value);
  if (Number.isSafeInteger(near)) return near;
  const magnitude = value < 0n ? -value : value;
  // 64 bits less the 53 of a double.
  const cut = Number((magnitude >> 11n) << 11n);
  return value < 0n ? -cut : cut;
}

/**
 * [low, high): the values of a bucket, by magnitude mirrored for negative ones. Bucket 0 is [0, 0].
 */
export function bucketBounds(bucket: number, subBits: number): readonly [number, number] {
  if (bucket === 0) return [0, 0];
  const magnitude = Math.abs(bucket) - 1;
  const low = boundOf(magnitude, subBits);
  const high = boundOf(magnitude + 1, subBits);
  return bucket < 0 ? [-high, -low] : [low, high];
}

/** The bucket a coarser histogram has for this one. */
export function coarserBucket(bucket: number, subBits: number, toSubBits: number): number {
  if (bucket === 0) return 0;
  const magnitude = (Math.abs(bucket) - 1) >> (subBits - toSubBits);
  return bucket < 0 ? -(magnitude + 1) : magnitude + 1;
}

/** The first and the last bucket of a finer histogram within this one. */
export function finerBuckets(
  bucket: number,
  subBits: number,
  toSubBits: number,
): readonly [first: number, last: number] {
  if (bucket === 0) return [0, 0];
  const count = 1 << (toSubBits - subBits);
  const first = (Math.abs(bucket) - 1) * count + 1;
  const last = first + count - 1;
  return bucket < 0 ? [-last, -first] : [first, last];
}

function boundOf(magnitude: number, subBits: number): number {
  const octave = magnitude >> subBits;
  const step = magnitude & ((1 << subBits) - 1);
  return 2 ** octave * (1 + step / (1 << subBits));
}
