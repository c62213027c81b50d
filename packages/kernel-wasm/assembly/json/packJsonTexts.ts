import { TEXT_BYTES, TEXT_FIRST, TEXT_LENGTH, TEXT_LOW, TEXT_SHORT_MAX, TEXT_START } from "../abi";

/** See JsonRows.packTexts. What is written may go 16 bytes beyond the last. */
export function packJsonTexts(out: usize, ends: usize, hashes: usize, texts: usize, count: u32, seed: u32): void {
  let used: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const text = texts + i * TEXT_BYTES;
    const length = load<u32>(text, TEXT_LENGTH);
    const to = out + used;
    v128.store(to, v128.load(text, TEXT_FIRST));
    if (length > <u32>TEXT_SHORT_MAX) {
      const from = load<u32>(text, TEXT_START);
      for (let at: u32 = 16; at < length; at += 16) v128.store(to + at, v128.load(from + at));
    } else if (length > 16) v128.store(to + length - 16, v128.load(text, TEXT_LOW));
    used += length;
    store<u32>(ends + (i << 2), used);
    store<u32>(hashes + (i << 2), hashBytes(to, length, seed));
  }
}

/** Four bytes at a time; the host computes the same hash for its own texts. */
@inline
function hashBytes(start: usize, length: u32, seed: u32): u32 {
  let hash = seed;
  const end = start + length;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    const product = (hash ^ load<u32>(at)) * HASH_FACTOR;
    hash = product ^ (product >> 15);
  }
  for (; at < end; at++) hash = (hash ^ <u32>load<u8>(at)) * HASH_FACTOR;
  // A second shift by as much would take back the first.
  const mixed = (hash ^ (hash >> 13)) * HASH_END;
  return mixed ^ (mixed >> 16);
}

const HASH_FACTOR: u32 = 0x5bd1e995;
const HASH_END: u32 = 0x85ebca6b;
