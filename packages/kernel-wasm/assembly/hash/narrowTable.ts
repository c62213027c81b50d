// Where the groups of narrow keys are: see narrow.ts.
import { NARROW_BATCH, RADIX_PARTS } from "../abi";

export const COLUMN_BYTES: usize = RADIX_PARTS << 2;
export const DEALT: usize = COLUMN_BYTES * 3;
/** A bucket that is in no table. */
export const NOWHERE: usize = DEALT + 64;
/**
 * Of the rows that are taken together, u32 each: buckets, those that were not found there, parts.
 */
export const BUCKETS: usize = NOWHERE + 64;
export const MISSED: usize = BUCKETS + (NARROW_BATCH << 2);
export const PARTS: usize = MISSED + (NARROW_BATCH << 2);
export const PART_BITS: u32 = 8;

/** Where a bucket's counts and sums are. */
export const COUNTS: usize = 16;
export const SUMS: usize = 32;

/** lowbias32 by Chris Wellons, without the last step, which leaves the top bits as they are. */
@inline
export function mix32(key: u32): u32 {
  let hash = (key ^ (key >> 16)) * 0x21f0aaad;
  hash ^= hash >> 15;
  return hash * 0x735a2d97;
}

/** The same of four keys. */
@inline
export function mixFour(keys: v128): v128 {
  let hash = i32x4.mul(v128.xor(keys, i32x4.shr_u(keys, 16)), i32x4.splat(0x21f0aaad));
  hash = v128.xor(hash, i32x4.shr_u(hash, 15));
  return i32x4.mul(hash, i32x4.splat(0x735a2d97));
}

@inline
export function slotShift(sums: bool): usize {
  return sums ? 4 : 3;
}

@inline
export function bucketShift(sums: bool): usize {
  return slotShift(sums) + 2;
}

/** How far a hash of 32 bits is shifted to be the number of a bucket. */
@inline
export function hashShift(slotCount: u32): u32 {
  return 3 + clz(slotCount);
}

/** Which of four keys are this one, a bit each. */
@inline
export function lanesOf(keys: v128, key: u32): u32 {
  return <u32>i32x4.bitmask(i32x4.eq(keys, i32x4.splat(key)));
}

/**
 * Buffers are a line further apart than they are long: otherwise their ends would share a few sets
 * of a cache.
 */
@inline
export function bufferOf(sums: bool, buffers: usize, bufferRows: u32, part: u32): usize {
  return buffers + <usize>part * ((<usize>bufferRows << (sums ? 3 : 2)) + 64);
}

/** Adds to a group; whether it is new. `skip`: bits of the hash that chose the table. */
@inline
export function addTo(
  sums: bool, slots: usize, slotCount: u32, skip: u32, key: u32, count: u32, sum: i64,
): bool {
  let bucket = (mix32(key) << skip) >> hashShift(slotCount);
  while (true) {
    const at = slots + (<usize>bucket << bucketShift(sums));
    const keys = v128.load(at);
    const found = lanesOf(keys, key + 1);
    if (found != 0) {
      addToSlot(sums, at, ctz(found), count, sum);
      return false;
    }
    const free = lanesOf(keys, 0);
    if (free != 0) {
      const lane = <usize>ctz(free);
      store<u32>(at + (lane << 2), key + 1);
      store<u32>(at + (lane << 2), count, COUNTS);
      if (sums) store<i64>(at + (lane << 3), sum, SUMS);
      return true;
    }
    bucket = (bucket + 1) & ((slotCount >> 2) - 1);
  }
}

@inline
export function addToSlot(sums: bool, bucket: usize, lane: usize, count: u32, sum: i64): void {
  const countAt = bucket + (lane << 2);
  store<u32>(countAt, load<u32>(countAt, COUNTS) + count, COUNTS);
  if (!sums) return;
  const sumAt = bucket + (lane << 3);
  store<i64>(sumAt, load<i64>(sumAt, SUMS) + sum, SUMS);
}
