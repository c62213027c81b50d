// Where the groups of narrow keys are: see narrow.ts.
import { RADIX_PARTS } from "./abi";

export const COLUMN_BYTES: usize = RADIX_PARTS << 2;
export const DEALT: usize = COLUMN_BYTES * 3;
export const LINES: usize = DEALT + 64;
export const PART_BITS: u32 = 8;

/** lowbias32 by Chris Wellons, without the last step, which leaves the top bits as they are. */
@inline
export function mix32(key: u32): u32 {
  let hash = (key ^ (key >> 16)) * 0x21f0aaad;
  hash ^= hash >> 15;
  return hash * 0x735a2d97;
}

@inline
export function slotShift(sums: bool): usize {
  return sums ? 4 : 3;
}

/** Buffers lie a line further apart than they are long: else their ends would meet in the same few sets of a cache. */
@inline
export function bufferOf(sums: bool, buffers: usize, bufferRows: u32, part: u32): usize {
  return buffers + <usize>part * ((<usize>bufferRows << (sums ? 3 : 2)) + 64);
}

/** Adds to a group; whether it is new. `skip`: bits of the hash that chose the table. */
@inline
export function addTo(
  sums: bool, slots: usize, slotCount: u32, skip: u32, key: u32, count: u32, sum: i64,
): bool {
  let slot = (mix32(key) << skip) >> (1 + clz(slotCount));
  while (true) {
    const at = slots + (<usize>slot << slotShift(sums));
    const word = load<u64>(at);
    if (word >> 32 == 0) {
      store<u64>(at, <u64>key | (<u64>count << 32));
      if (sums) store<i64>(at, sum, 8);
      return true;
    }
    if (<u32>word == key) {
      store<u64>(at, word + (<u64>count << 32));
      if (sums) store<i64>(at, load<i64>(at, 8) + sum, 8);
      return false;
    }
    slot = (slot + 1) & (slotCount - 1);
  }
}
