// Counts by key where the keys far exceed a cache: keys are first partitioned by the top bits of
// their hash into 256 buffers; a full buffer is counted in its part's table, which fits a cache.
// Part p has slots [p · partSlots, (p + 1) · partSlots), of which it uses the first ones, a power
// of two that grows with its keys. A slot is free while its count is 0.
//
// Layout of `parts`, u32 each: keys in the buffer × 256 | slots in use × 256 | keys in the table × 256.
import { RADIX_PARTS } from "../abi";
import { mix } from "./hashKeys";
import { LINE_SHIFT, readLines } from "../base/readLines";

const COLUMN_BYTES: usize = RADIX_PARTS << 2;
const TAKEN_BYTES: usize = COLUMN_BYTES << 1;

/**
 * Buffers are a line further apart than they are long: otherwise their ends would share a few sets
 * of a cache.
 */
@inline
function bufferOf(buffers: usize, bufferKeys: u32, part: u32): usize {
  return buffers + <usize>part * ((<usize>bufferKeys << 3) + 64);
}

@inline
function partOf(hash: u64): u32 {
  return <u32>(hash >> 56);
}

/** The bits of the hash below those that chose the part. */
@inline
function slotOf(hash: u64, slotCount: u32): u32 {
  return <u32>(((hash << 8) >> 32) * <u64>slotCount >> 32);
}

export function clearRadixTable(counts: usize, parts: usize, partSlots: u32, firstSlots: u32): void {
  memory.fill(parts, 0, COLUMN_BYTES * 3);
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    store<u32>(parts + COLUMN_BYTES + (part << 2), firstSlots);
    memory.fill(counts + ((<usize>part * partSlots) << 2), 0, firstSlots << 2);
  }
}

/** Deals keys out. False: a part has no more room. */
export function addRadixKeys(
  counts: usize, tableKeys: usize, parts: usize, partSlots: u32, buffers: usize, bufferKeys: u32,
  spare: usize, keys: usize, count: u32,
): bool {
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u64>(keys + (k << 3));
    const part = partOf(mix(key));
    const at = parts + (part << 2);
    const waiting = load<u32>(at);
    store<u64>(bufferOf(buffers, bufferKeys, part) + (<usize>waiting << 3), key);
    if (waiting + 1 < bufferKeys) {
      store<u32>(at, waiting + 1);
      continue;
    }
    store<u32>(at, 0);
    const from = bufferOf(buffers, bufferKeys, part);
    if (!addToPart(counts, tableKeys, parts, partSlots, spare, part, from, 0, bufferKeys)) return false;
  }
  return true;
}

/** Adds `keyCounts` (u32 each) to the counts of keys that have been counted elsewhere. */
export function addRadixCounts(
  counts: usize, tableKeys: usize, parts: usize, partSlots: u32, spare: usize, keys: usize,
  keyCounts: usize, count: u32,
): bool {
  for (let k: u32 = 0; k < count; k++) {
    const from = keys + (<usize>k << 3);
    const part = partOf(mix(load<u64>(from)));
    const weights = keyCounts + (<usize>k << 2);
    if (!addToPart(counts, tableKeys, parts, partSlots, spare, part, from, weights, 1)) return false;
  }
  return true;
}

/**
 * Counts what waits in the buffers. Returns the keys there are, -1 when a part has no more room.
 */
export function flushRadixTable(
  counts: usize, tableKeys: usize, parts: usize, partSlots: u32, buffers: usize, bufferKeys: u32,
  spare: usize,
): i32 {
  let known: u32 = 0;
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    const at = parts + (part << 2);
    const waiting = load<u32>(at);
    store<u32>(at, 0);
    const from = bufferOf(buffers, bufferKeys, part);
    if (!addToPart(counts, tableKeys, parts, partSlots, spare, part, from, 0, waiting)) return -1;
    known += load<u32>(at + TAKEN_BYTES);
  }
  return known;
}

/** The slot of each key, or the largest u32 for one that is not there. */
export function findRadixKeys(
  groups: usize, keys: usize, count: u32, counts: usize, tableKeys: usize, parts: usize,
  partSlots: u32,
): void {
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u64>(keys + (k << 3));
    const hash = mix(key);
    const part = partOf(hash);
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    const first = part * partSlots;
    let slot = slotOf(hash, slotCount);
    let group: u32 = u32.MAX_VALUE;
    while (load<u32>(counts + (<usize>(first + slot) << 2)) != 0) {
      if (load<u64>(tableKeys + (<usize>(first + slot) << 3)) == key) {
        group = first + slot;
        break;
      }
      slot = (slot + 1) & (slotCount - 1);
    }
    store<u32>(groups + (k << 2), group);
  }
}

/** `weights` 0: every key counts one. */
function addToPart(
  counts: usize, tableKeys: usize, parts: usize, partSlots: u32, spare: usize, part: u32,
  from: usize, weights: usize, count: u32,
): bool {
  const ownCounts = counts + ((<usize>part * partSlots) << 2);
  const ownKeys = tableKeys + ((<usize>part * partSlots) << 3);
  const at = parts + (part << 2);
  let slotCount = load<u32>(at + COLUMN_BYTES);
  let taken = load<u32>(at + TAKEN_BYTES);
  let room = roomOf(slotCount, partSlots);
  let fits = true;
  if (<usize>count << LINE_SHIFT >= <usize>slotCount << 2) {
    readLines(ownCounts, <usize>slotCount << 2);
    readLines(ownKeys, <usize>slotCount << 3);
  }
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u64>(from + (<usize>k << 3));
    const weight: u32 = weights ? load<u32>(weights + (<usize>k << 2)) : 1;
    if (!countKey(ownCounts, ownKeys, slotCount, key, weight)) continue;
    if (++taken <= room) continue;
    if (slotCount == partSlots) {
      fits = false;
      break;
    }
    grow(ownCounts, ownKeys, slotCount, spare);
    slotCount <<= 1;
    room = roomOf(slotCount, partSlots);
    store<u32>(at + COLUMN_BYTES, slotCount);
  }
  store<u32>(at + TAKEN_BYTES, taken);
  return fits;
}

/** Half full, and seven eighths where it cannot grow. */
@inline
function roomOf(slotCount: u32, partSlots: u32): u32 {
  return slotCount == partSlots ? slotCount - (slotCount >> 3) : slotCount >> 1;
}

/** Whether the key is new. */
@inline
function countKey(counts: usize, keys: usize, slotCount: u32, key: u64, weight: u32): bool {
  let slot = slotOf(mix(key), slotCount);
  while (true) {
    const at = counts + (<usize>slot << 2);
    const before = load<u32>(at);
    if (before == 0) {
      store<u64>(keys + (<usize>slot << 3), key);
      store<u32>(at, weight);
      return true;
    }
    if (load<u64>(keys + (<usize>slot << 3)) == key) {
      store<u32>(at, before + weight);
      return false;
    }
    slot = (slot + 1) & (slotCount - 1);
  }
}

/**
 * Doubles a part's slots: its keys go to `spare`, 16 bytes each, and from there to where they
 * belong now.
 */
function grow(counts: usize, keys: usize, slotCount: u32, spare: usize): void {
  let kept: usize = 0;
  for (let slot: u32 = 0; slot < slotCount; slot++) {
    const count = load<u32>(counts + (<usize>slot << 2));
    if (count == 0) continue;
    store<u64>(spare + (kept << 4), load<u64>(keys + (<usize>slot << 3)));
    store<u64>(spare + (kept << 4), count, 8);
    kept++;
  }
  memory.fill(counts, 0, <usize>slotCount << 3);
  for (let i: usize = 0; i < kept; i++) {
    const key = load<u64>(spare + (i << 4));
    countKey(counts, keys, slotCount << 1, key, <u32>load<u64>(spare + (i << 4), 8));
  }
}
