// Keys of 32 bits to dense ids: 2^partBits tables, by the top bits of the keys' hash, so that rows dealt out by them find a
// part's keys in a near cache. The hash is one to one, and stands for the key from here on: a mixed key. Part p has slots
// from p · partBytes on, of which it uses the first ones, a power of two that grows with its keys. Four slots are a bucket:
// mixed key + 1 (0: free) u32 × 4 | id u32 × 4. A bucket is filled from its first slot on; a key that finds its bucket full is
// in the next that is not.
//
// Layout of `parts`, u32 each: slots in use × 2^partBits | keys × 2^partBits | buckets, and then rows, of a batch × 256 each.
import { KEY_BATCH } from "../abi";
import { hashShift, lanesOf, mix32, mixFour } from "./narrowTable";
import { LINE_SHIFT, readLines } from "../base/readLines";

/** So that the largest u32, which is no key, is itself when mixed: key + 1 is 0 for no other. */
const TURN: u32 = 0x664b2a15;
const IDS: usize = 16;
const BUCKET_SHIFT: usize = 5;
const SLOT_SHIFT: usize = 3;
const TOO_MANY: u32 = u32.MAX_VALUE;
const NO_ROOM: u32 = u32.MAX_VALUE - 1;

export function mixKeys(keys: usize, count: u32): void {
  let k: u32 = 0;
  for (; k + 4 <= count; k += 4) {
    const at = keys + (<usize>k << 2);
    v128.store(at, v128.xor(mixFour(v128.load(at)), i32x4.splat(TURN)));
  }
  for (; k < count; k++) {
    const at = keys + (<usize>k << 2);
    store<u32>(at, mix32(load<u32>(at)) ^ TURN);
  }
}

export function clearPartedKeys(slots: usize, partBytes: u32, parts: usize, partBits: u32, firstSlots: u32): void {
  const partCount: u32 = 1 << partBits;
  memory.fill(parts + (<usize>partCount << 2), 0, <usize>partCount << 2);
  for (let part: u32 = 0; part < partCount; part++) {
    store<u32>(parts + (part << 2), firstSlots);
    memory.fill(slots + part * partBytes, 0, <usize>firstSlots << SLOT_SHIFT);
  }
}

/**
 * `onePart`: the keys are of one part. Returns how many keys there are; -1: more than `keysMax`;
 * -2: a part has no more room.
 */
export function numberPartedKeys(
  ids: usize, keys: usize, count: u32, onePart: bool, slots: usize, partBytes: u32, partSlots: u32, parts: usize,
  partBits: u32, tableKeys: usize, keysMax: u32, known: u32, spare: usize,
): u32 {
  if (onePart && count != 0) {
    const part = load<u32>(keys) >> (32 - partBits);
    const bytes = <usize>load<u32>(parts + (part << 2)) << SLOT_SHIFT;
    if (<usize>count << LINE_SHIFT >= bytes >> 1) readLines(slots + part * partBytes, bytes);
  }
  const partCount: usize = 1 << partBits;
  const rows = parts + (partCount << 3) + (KEY_BATCH << 2);
  for (let from: u32 = 0; from < count; from += KEY_BATCH) {
    const idsAt = ids + (<usize>from << 2);
    const keysAt = keys + (<usize>from << 2);
    const batch = min<u32>(KEY_BATCH, count - from);
    const missed = onePart
      ? findFirst(true, idsAt, keysAt, batch, slots, partBytes, parts, partBits)
      : findFirst(false, idsAt, keysAt, batch, slots, partBytes, parts, partBits);
    for (let m: u32 = 0; m < missed; m++) {
      const at = <usize>load<u32>(rows + (<usize>m << 2)) << 2;
      const id = findOrAdd(load<u32>(keysAt + at), slots, partBytes, partSlots, parts, partBits, keysMax, known, spare);
      if (id >= NO_ROOM) return id;
      if (id == known) {
        store<u32>(tableKeys + (<usize>known << 2), load<u32>(keysAt + at));
        known++;
      }
      store<u32>(idsAt + at, id);
    }
  }
  return known;
}

/**
 * Ids of the keys that are in their first bucket; lists the others and returns how many these are.
 * No branch depends on a key.
 */
@inline
function findFirst(
  onePart: bool, ids: usize, keys: usize, count: u32, slots: usize, partBytes: u32, parts: usize, partBits: u32,
): u32 {
  const partCount: usize = 1 << partBits;
  const buckets = parts + (partCount << 3);
  if (onePart) {
    const part = load<u32>(keys) >> (32 - partBits);
    const own = i32x4.splat(<u32>slots + part * partBytes);
    const shift = hashShift(load<u32>(parts + (part << 2)));
    for (let k: usize = 0; k < <usize>count; k += 4) {
      const bucket = i32x4.shr_u(i32x4.shl(v128.load(keys + (k << 2)), partBits), shift);
      v128.store(buckets + (k << 2), i32x4.add(own, i32x4.shl(bucket, <i32>BUCKET_SHIFT)));
    }
  } else {
    for (let k: usize = 0; k < <usize>count; k++) {
      const key = load<u32>(keys + (k << 2));
      const part = key >> (32 - partBits);
      const bucket = (key << partBits) >> hashShift(load<u32>(parts + (part << 2)));
      store<u32>(buckets + (k << 2), <u32>slots + part * partBytes + (bucket << <u32>BUCKET_SHIFT));
    }
  }
  const rows = buckets + (KEY_BATCH << 2);
  let missed = rows;
  for (let k: usize = 0; k < <usize>count; k++) {
    const at = <usize>load<u32>(buckets + (k << 2));
    const found = lanesOf(v128.load(at), load<u32>(keys + (k << 2)) + 1);
    // A missing key reads the last slot's id, which is overwritten later.
    store<u32>(ids + (k << 2), load<u32>(at + (<usize>ctz(found | 8) << 2), IDS));
    store<u32>(missed, <u32>k);
    missed += <usize>(found == 0) << 2;
  }
  return <u32>((missed - rows) >> 2);
}

/** `known` for a new key. */
@inline
function findOrAdd(
  key: u32, slots: usize, partBytes: u32, partSlots: u32, parts: usize, partBits: u32, keysMax: u32, known: u32,
  spare: usize,
): u32 {
  const part = key >> (32 - partBits);
  const own = slots + part * partBytes;
  const slotsAt = parts + (part << 2);
  const keysAt = slotsAt + (<usize>4 << partBits);
  let slotCount = load<u32>(slotsAt);
  let bucket = (key << partBits) >> hashShift(slotCount);
  while (true) {
    const at = own + (<usize>bucket << BUCKET_SHIFT);
    const four = v128.load(at);
    const found = lanesOf(four, key + 1);
    if (found != 0) return load<u32>(at + (<usize>ctz(found) << 2), IDS);
    if (lanesOf(four, 0) != 0) break;
    bucket = (bucket + 1) & ((slotCount >> 2) - 1);
  }
  if (known >= keysMax) return TOO_MANY;
  const taken = load<u32>(keysAt) + 1;
  // Half full, so that most keys are in the bucket where they are looked for first; seven eighths
  // where it cannot grow.
  if (slotCount == partSlots) {
    if (taken > slotCount - (slotCount >> 3)) return NO_ROOM;
  } else if (taken > slotCount >> 1) {
    grow(own, slotCount, partBits, spare);
    slotCount <<= 1;
    store<u32>(slotsAt, slotCount);
  }
  store<u32>(keysAt, taken);
  add(own, slotCount, partBits, key, known);
  return known;
}

@inline
function add(own: usize, slotCount: u32, partBits: u32, key: u32, id: u32): void {
  let bucket = (key << partBits) >> hashShift(slotCount);
  while (true) {
    const at = own + (<usize>bucket << BUCKET_SHIFT);
    const free = lanesOf(v128.load(at), 0);
    if (free != 0) {
      const slot = at + (<usize>ctz(free) << 2);
      store<u32>(slot, key + 1);
      store<u32>(slot, id, IDS);
      return;
    }
    bucket = (bucket + 1) & ((slotCount >> 2) - 1);
  }
}

/**
 * Doubles a part's slots: its keys go to `spare`, 8 bytes each, and from there to where they belong
 * now.
 */
function grow(own: usize, slotCount: u32, partBits: u32, spare: usize): void {
  let kept = spare;
  for (let slot: u32 = 0; slot < slotCount; slot++) {
    const at = own + (<usize>(slot >> 2) << BUCKET_SHIFT) + (<usize>(slot & 3) << 2);
    const key = load<u32>(at);
    if (key == 0) continue;
    store<u32>(kept, key - 1);
    store<u32>(kept, load<u32>(at, IDS), 4);
    kept += 8;
  }
  memory.fill(own, 0, <usize>slotCount << (SLOT_SHIFT + 1));
  for (let from = spare; from < kept; from += 8) add(own, slotCount << 1, partBits, load<u32>(from), load<u32>(from, 4));
}
