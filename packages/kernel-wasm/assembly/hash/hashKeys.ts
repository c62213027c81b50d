// Keys to dense ids. Four slots are a bucket, in which a key is looked for at once; buckets are
// filled from their first slot on, and a key that finds its bucket full is in the next that is not.
// A slot holds id + 1 in as many bits as the largest takes (0: free), and above it bits of the
// key's hash, so that most other keys of a bucket are excluded without reading them. The key itself
// stands once, at its id.

/** Keys that are looked up together. */
const BATCH: u32 = 256;
/** No id. */
const UNKNOWN: u32 = u32.MAX_VALUE;

/**
 * Mixes all bits of a key into the top bits, of which a bucket's number takes as many as it needs.
 */
@inline
export function mix(key: u64): u64 {
  let hash = key ^ (key >> 32);
  hash *= 0x9e3779b97f4a7c15;
  hash ^= hash >> 29;
  return hash * 0xd6e8feb86659fd93;
}

/** The bits of a hash that a slot keeps above those of an id: few of them choose the bucket. */
@inline
function tagOf(hash: u64, idMask: u32): u32 {
  return <u32>(hash >> 8) & ~idMask;
}

export function hashKeys(
  groups: usize, keys: usize, count: u32, slots: usize, slotCount: u32, tableKeys: usize,
  groupsMax: u32, groupCount: u32,
): i32 {
  const idMask = u32.MAX_VALUE >> clz(groupsMax);
  for (let from: u32 = 0; from < count; from += BATCH) {
    const to = min(from + BATCH, count);
    if (findFirst(groups, keys, from, to, slots, slotCount, idMask, tableKeys)) continue;
    for (let k = from; k < to; k++) {
      const at = groups + (k << 2);
      if (k + 4 <= to && !v128.any_true(i32x4.eq(v128.load(at), i32x4.splat(UNKNOWN)))) {
        k += 3;
        continue;
      }
      if (load<u32>(at) != UNKNOWN) continue;
      const key = load<u64>(keys + (k << 3));
      const group = findOrAdd(key, slots, slotCount, idMask, tableKeys, groupsMax, groupCount);
      if (group == UNKNOWN) return -1;
      groupCount += <u32>(group == groupCount);
      store<u32>(at, group);
    }
  }
  return groupCount;
}

/** Where its bucket is, by the hash's top bits. */
@inline
function bucketOf(slots: usize, slotCount: u32, hash: u64): usize {
  return slots + (<usize>(<u32>(hash >> 33) >> clz(slotCount >> 2)) << 4);
}

/**
 * The id of each key that is in the first slot with its tag; else UNKNOWN. Returns whether all are
 * known. No branch depends on a key: a misprediction during a cache miss costs more than all the
 * rest.
 */
@inline
function findFirst(
  groups: usize, keys: usize, from: u32, to: u32, slots: usize, slotCount: u32, idMask: u32, tableKeys: usize,
): bool {
  let unknown: u32 = 0;
  for (let k = from; k < to; k++) {
    const key = load<u64>(keys + (k << 3));
    const hash = mix(key);
    const bucket = bucketOf(slots, slotCount, hash);
    const lane = ctz(lanesOf(v128.load(bucket), idMask, tagOf(hash, idMask)) | 8);
    // Of a free slot, or of another key's, it is no id, or one whose key is another.
    const id = (load<u32>(bucket + (<usize>lane << 2)) & idMask) - 1;
    const group = load<u64>(tableKeys + (<usize>id << 3)) == key ? id : UNKNOWN;
    store<u32>(groups + (k << 2), group);
    unknown |= <u32>(group == UNKNOWN);
  }
  return unknown == 0;
}

/** Which of a bucket's slots have this tag, a bit each. */
@inline
function lanesOf(words: v128, idMask: u32, tag: u32): u32 {
  return <u32>i32x4.bitmask(i32x4.eq(v128.and(words, i32x4.splat(~idMask)), i32x4.splat(tag)));
}

/** The key's id, a new one where it had none; UNKNOWN when there are no more. */
function findOrAdd(
  key: u64, slots: usize, slotCount: u32, idMask: u32, tableKeys: usize, groupsMax: u32, groupCount: u32,
): u32 {
  const hash = mix(key);
  const tag = tagOf(hash, idMask);
  const end = slots + (<usize>slotCount << 2);
  let bucket = bucketOf(slots, slotCount, hash);
  while (true) {
    const words = v128.load(bucket);
    let lanes = lanesOf(words, idMask, tag);
    for (; lanes != 0; lanes &= lanes - 1) {
      const group = (load<u32>(bucket + (<usize>ctz(lanes) << 2)) & idMask) - 1;
      if (group != UNKNOWN && load<u64>(tableKeys + (<usize>group << 3)) == key) return group;
    }
    const free = <u32>i32x4.bitmask(i32x4.eq(words, i32x4.splat(0)));
    if (free != 0) {
      if (groupCount >= groupsMax) return UNKNOWN;
      store<u64>(tableKeys + (<usize>groupCount << 3), key);
      store<u32>(bucket + (<usize>ctz(free) << 2), tag | (groupCount + 1));
      return groupCount;
    }
    bucket += 16;
    if (bucket == end) bucket = slots;
  }
}

export function clearHashTable(slots: usize, slotCount: u32): void {
  memory.fill(slots, 0, slotCount << 2);
}
