// Keys to dense ids: open addressing, linear probing, at most half full. A slot holds id + 1; the key
// itself stands once, at its id.

/** Mixes all bits of a key into the top bits, of which a slot index takes as many as it needs. */
@inline
export function mix(key: u64): u64 {
  let hash = key ^ (key >> 32);
  hash *= 0x9e3779b97f4a7c15;
  hash ^= hash >> 29;
  return hash * 0xd6e8feb86659fd93;
}

export function hashKeys(
  groups: usize, keys: usize, count: u32, slots: usize, slotCount: u32, tableKeys: usize,
  groupsMax: u32, groupCount: u32,
): i32 {
  const mask = slotCount - 1;
  // A shift by 64 would be one by 0: a table of one slot needs none of the bits anyway.
  const shift: u64 = slotCount == 1 ? 63 : <u64>(32 + clz(slotCount) + 1);
  for (let k: u32 = 0; k < count; k++) {
    const key = load<u64>(keys + (k << 3));
    let slot = <u32>(mix(key) >> shift) & mask;
    let group: u32 = 0;
    while (true) {
      const taken = load<u32>(slots + (slot << 2));
      if (taken == 0) {
        if (groupCount >= groupsMax) return -1;
        group = groupCount++;
        store<u64>(tableKeys + (group << 3), key);
        store<u32>(slots + (slot << 2), groupCount);
        break;
      }
      group = taken - 1;
      if (load<u64>(tableKeys + (group << 3)) == key) break;
      slot = (slot + 1) & mask;
    }
    store<u32>(groups + (k << 2), group);
  }
  return groupCount;
}

export function clearHashTable(slots: usize, slotCount: u32): void {
  memory.fill(slots, 0, slotCount << 2);
}
