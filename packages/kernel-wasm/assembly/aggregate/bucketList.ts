// Histograms with few values: pairs of group and bucket as keys to hash; and the list of a dense
// one.
import { bitOf } from "../base/bitset";
import { bucketOf } from "./histogram";
import { rowAt, U24, valueAt, Zero } from "../base/lanes";

export function bucketKeys(
  keys: usize, keyRows: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  width: u32, base: i64, present: usize, subBits: u32, firstBucket: i32, bucketCount: u32,
): u32 {
  switch (width) {
    case 0: return keysOf<Zero>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    case 1: return keysOf<u8>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    case 2: return keysOf<u16>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    case 3: return keysOf<U24>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    case 4: return keysOf<u32>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    case 8: return keysOf<i64>(keys, keyRows, groups, start, count, rows, values, base, present, subBits, firstBucket, bucketCount);
    default: unreachable();
  }
  return 0;
}

function keysOf<T>(
  keys: usize, keyRows: usize, groups: usize, start: u32, count: u32, rows: usize, values: usize,
  base: i64, present: usize, subBits: u32, firstBucket: i32, bucketCount: u32,
): u32 {
  let found: u32 = 0;
  for (let k: u32 = 0; k < count; k++) {
    const row = rows ? rowAt(true, rows, start, k) : start + k;
    if (present && !bitOf(present, row)) continue;
    const group: u64 = groups ? load<u32>(groups + (k << 2)) : 0;
    const bucket = bucketOf(base + valueAt<T>(values, row), subBits) - firstBucket;
    store<u64>(keys + (found << 3), group * bucketCount + bucket);
    store<u32>(keyRows + (found << 2), row);
    found++;
  }
  return found;
}

/** The groups that were seen, numbered in order of arrival. */
export function numberGroups(
  numbers: usize, groups: usize, count: u32, numberOf: usize, groupOf: usize, known: u32, max: u32,
): i32 {
  for (let k: u32 = 0; k < count; k++) {
    const group = load<u32>(groups + (k << 2));
    let number = load<u32>(numberOf + (group << 2));
    if (number == 0) {
      if (known == max) return -1;
      store<u32>(groupOf + (known << 2), group);
      number = ++known;
      store<u32>(numberOf + (group << 2), number);
    }
    store<u32>(numbers + (k << 2), number - 1);
  }
  return known;
}

export function listBuckets(
  buckets: usize, weights: usize, ends: usize, room: u32, histogram: usize, counterBytes: u32,
  groups: usize, groupCount: u32, firstBucket: i32, bucketCount: u32,
): u32 {
  if (counterBytes == 1) {
    return list<u8>(buckets, weights, ends, room, histogram, groups, groupCount, firstBucket, bucketCount);
  }
  if (counterBytes == 2) {
    return list<u16>(buckets, weights, ends, room, histogram, groups, groupCount, firstBucket, bucketCount);
  }
  if (counterBytes == 4) {
    return list<u32>(buckets, weights, ends, room, histogram, groups, groupCount, firstBucket, bucketCount);
  }
  return list<u64>(buckets, weights, ends, room, histogram, groups, groupCount, firstBucket, bucketCount);
}

function list<C>(
  buckets: usize, weights: usize, ends: usize, room: u32, histogram: usize, groups: usize,
  groupCount: u32, firstBucket: i32, bucketCount: u32,
): u32 {
  let found: u32 = 0;
  const perStep: u32 = 16 / sizeof<C>();
  for (let i: u32 = 0; i < groupCount; i++) {
    if (found + bucketCount > room) return i;
    const at = histogram + <usize>load<u32>(groups + (i << 2)) * bucketCount * sizeof<C>();
    let bucket: u32 = 0;
    for (; bucket + perStep <= bucketCount; bucket += perStep) {
      if (!v128.any_true(v128.load(at + bucket * <u32>sizeof<C>()))) continue;
      for (let j: u32 = 0; j < perStep; j++) {
        found = listOne<C>(buckets, weights, found, at, bucket + j, firstBucket);
      }
    }
    for (; bucket < bucketCount; bucket++) {
      found = listOne<C>(buckets, weights, found, at, bucket, firstBucket);
    }
    store<u32>(ends + (i << 2), found);
  }
  return groupCount;
}

@inline
function listOne<C>(
  buckets: usize, weights: usize, found: u32, at: usize, bucket: u32, firstBucket: i32,
): u32 {
  const weight = load<C>(at + bucket * <u32>sizeof<C>());
  if (weight == 0) return found;
  store<i32>(buckets + (found << 2), firstBucket + <i32>bucket);
  store<f64>(weights + (found << 3), <f64>weight);
  return found + 1;
}
