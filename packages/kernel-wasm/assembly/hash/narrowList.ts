// The groups of narrow keys read out: see narrow.ts.
import { RADIX_PARTS } from "../abi";
import {
  bucketShift, COLUMN_BYTES, COUNTS, DEALT, hashShift, lanesOf, mix32, PART_BITS, slotShift, SUMS,
} from "./narrowTable";

/** The top 16 bits of a double in an order of its own: larger ranks have larger ones. */
@inline
function binOf(count: u32, sum: i64, bySum: bool, desc: bool): u32 {
  const rank = bySum ? <f64>sum : <f64>count;
  const bits = reinterpret<i64>(desc ? rank : -rank);
  return <u32>(<u64>(bits ^ ((bits >> 63) | i64.MIN_VALUE)) >> 48);
}

@inline
function countIn(bucket: usize, lane: usize): u32 {
  return load<u32>(bucket + (lane << 2), COUNTS);
}

@inline
function sumIn(sums: bool, bucket: usize, lane: usize, base: i64): i64 {
  return sums ? load<i64>(bucket + (lane << 3), SUMS) + base * <i64>countIn(bucket, lane) : 0;
}

/**
 * Counts the groups of parts [from, to) by the bins of their ranks: u32 × 65,536 at `bins`, which
 * are cleared first.
 */
export function binNarrowRanks(
  bins: usize, slots: usize, sums: bool, parts: usize, partSlots: u32, base: i64, bySum: bool,
  desc: bool, from: u32, to: u32,
): void {
  memory.fill(bins, 0, 65536 << 2);
  for (let part = from; part < to; part++) {
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    for (let slot: u32 = 0; slot < slotCount; slot++) {
      const bucket = own + (<usize>(slot >> 2) << bucketShift(sums));
      const lane = <usize>(slot & 3);
      const count = countIn(bucket, lane);
      if (count == 0) continue;
      const bin = bins + (binOf(count, sumIn(sums, bucket, lane, base), sums && bySum, desc) << 2);
      store<u32>(bin, load<u32>(bin) + 1);
    }
  }
}

/**
 * Lists the groups of a flushed table that rank in bin `least` or above; returns how many. `base`
 * counts once for every row.
 */
export function listNarrowGroups(
  keys: usize, counts: usize, groupSums: usize, slots: usize, sums: bool, parts: usize,
  partSlots: u32, base: i64, bySum: bool, desc: bool, least: u32,
): u32 {
  // Of counts alone it is known which is the least.
  const leastCount: u32 = !(sums && bySum) && desc ? leastCountIn(least) : 1;
  let listed: usize = 0;
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const end = own + (<usize>load<u32>(parts + COLUMN_BYTES + (part << 2)) << slotShift(sums));
    for (let bucket = own; bucket < end; bucket += <usize>1 << bucketShift(sums)) {
      let lanes = <u32>i32x4.bitmask(i32x4.ge_u(v128.load(bucket, COUNTS), i32x4.splat(leastCount)));
      for (; lanes != 0; lanes &= lanes - 1) {
        const lane = <usize>ctz(lanes);
        const count = countIn(bucket, lane);
        const sum = sumIn(sums, bucket, lane, base);
        if (binOf(count, sum, sums && bySum, desc) < least) continue;
        listGroup(sums, load<u32>(bucket + (lane << 2)) - 1, count, sum, keys, counts, groupSums, listed++);
      }
    }
  }
  return <u32>listed;
}

/**
 * The least count that is in this bin or a higher one, 1 at least; the largest there is where none
 * is.
 */
function leastCountIn(bin: u32): u32 {
  let low: u32 = 1;
  let high: u32 = u32.MAX_VALUE;
  while (low < high) {
    const middle = low + ((high - low) >> 1);
    if (binOf(middle, 0, false, true) < bin) low = middle + 1;
    else high = middle;
  }
  return low;
}

@inline
function listGroup(
  sums: bool, key: u32, count: u32, sum: i64, keys: usize, counts: usize, groupSums: usize, place: usize,
): void {
  store<u32>(keys + (place << 2), key);
  store<u32>(counts + (place << 2), count);
  if (sums) store<i64>(groupSums + (place << 3), sum);
}

/** Lists those of `count` keys that a flushed table has, in their order; returns how many. */
export function listNarrowKeys(
  keys: usize, counts: usize, groupSums: usize, slots: usize, sums: bool, parts: usize,
  partSlots: u32, base: i64, asked: usize, count: u32,
): u32 {
  const isDealt = load<u32>(parts + DEALT) != 0;
  let listed: usize = 0;
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u32>(asked + (k << 2));
    const hash = mix32(key);
    const part: u32 = isDealt ? hash >> (32 - PART_BITS) : 0;
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    let number = (hash << (isDealt ? PART_BITS : 0)) >> hashShift(slotCount);
    while (true) {
      const bucket = own + (<usize>number << bucketShift(sums));
      const slotKeys = v128.load(bucket);
      const found = lanesOf(slotKeys, key + 1);
      if (found != 0) {
        const lane = <usize>ctz(found);
        const sum = sumIn(sums, bucket, lane, base);
        listGroup(sums, key, countIn(bucket, lane), sum, keys, counts, groupSums, listed++);
        break;
      }
      if (lanesOf(slotKeys, 0) != 0) break;
      number = (number + 1) & ((slotCount >> 2) - 1);
    }
  }
  return <u32>listed;
}
