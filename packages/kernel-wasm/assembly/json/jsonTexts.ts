// Distinct texts of a name, numbered from 1 in order of arrival. A text that two others replaced in
// its slots is listed a second time when it returns, so that every text costs one probe only.
import {
  PLACE_SLOT_SHIFT, PLACE_SLOTS, PLACE_TEXT_COUNT, PLACE_TEXTS, TEXT_BYTES, TEXT_FIRST, TEXT_HIGH, TEXT_LENGTH, TEXT_LOW,
  TEXT_ROW, TEXT_SHORT_MAX, TEXT_START,
} from "../abi";
import { keepText } from "./jsonKept";

/**
 * The number of the text [start, end) of this row. Slots may contain anything: a number counts if
 * its text is this one.
 */
@inline
export function codeOfText(start: usize, end: usize, row: u32, place: usize, seed: u64): u32 {
  const length = <u32>(end - start);
  // All of its bytes up to 16, else the last ones.
  let low: u64 = 0;
  let high: u64 = 0;
  let hash = seed ^ length;
  if (length >= 8) {
    high = load<u64>(end - 8);
    if (length <= 16) low = load<u64>(start);
    else {
      low = load<u64>(end - 16);
      hash = hashStart(start, end - 16, hash);
    }
  } else if (length > 0) low = load<u64>(start) << (64 - (length << 3));
  hash = mix(hash, low, high);
  // Slots come in pairs, each a word: the text that came last is in its lower half.
  const slots = load<u32>(place, PLACE_SLOTS) + (<u32>(hash >> load<u32>(place, PLACE_SLOT_SHIFT)) << 2);
  const known = load<u32>(slots);
  const count = load<u32>(place, PLACE_TEXT_COUNT);
  const texts = load<u32>(place, PLACE_TEXTS);
  const later = known & 0xffff;
  if (later - 1 < count && isText(texts + (later - 1) * TEXT_BYTES, start, length, low, high)) return later;
  const earlier = known >> 16;
  if (earlier - 1 < count && isText(texts + (earlier - 1) * TEXT_BYTES, start, length, low, high)) return earlier;
  listText(start, end, row, place, low, high);
  store<u32>(slots, (later << 16) | (count + 1));
  return count + 1;
}

/** Lists the text, with its last 16 bytes as words, or other words that identify a shorter one. */
@inline
function listText(start: usize, end: usize, row: u32, place: usize, low: u64, high: u64): void {
  const count = load<u32>(place, PLACE_TEXT_COUNT);
  const added = <usize>load<u32>(place, PLACE_TEXTS) + count * TEXT_BYTES;
  const length = <u32>(end - start);
  store<u32>(added, length, TEXT_LENGTH);
  store<u32>(added, row, TEXT_ROW);
  store<u64>(added, low, TEXT_LOW);
  store<u64>(added, high, TEXT_HIGH);
  v128.store(added, v128.load(start), TEXT_FIRST);
  if (length > <u32>TEXT_SHORT_MAX) store<u32>(added, <u32>keepText(start, end), TEXT_START);
  store<u32>(place, count + 1, PLACE_TEXT_COUNT);
}

@inline
function isText(listed: usize, start: usize, length: u32, low: u64, high: u64): bool {
  return load<u64>(listed, TEXT_LOW) == low && load<u64>(listed, TEXT_HIGH) == high &&
    load<u32>(listed, TEXT_LENGTH) == length &&
    (length <= 16 || isSameStart(listed, start, length));
}

/** All before the last 16 bytes. */
@inline
function isSameStart(listed: usize, start: usize, length: u32): bool {
  if (v128.any_true(v128.xor(v128.load(listed, TEXT_FIRST), v128.load(start)))) return false;
  return length <= <u32>TEXT_SHORT_MAX || isSameBytes(load<u32>(listed, TEXT_START) + 16, start + 16, length - 32);
}

/**
 * All before the last 16 bytes; of the last step some bytes may belong to those. Its high bits are
 * a pair of slots.
 */
@inline
function hashStart(start: usize, end: usize, seed: u64): u64 {
  let hash = seed;
  for (let at = start; at < end; at += 16) hash = mix(hash, load<u64>(at), load<u64>(at, 8));
  return hash;
}

@inline
function mix(hash: u64, low: u64, high: u64): u64 {
  const first = (hash ^ low) * 0x9e3779b97f4a7c15;
  return ((first ^ (first >> 32)) ^ high) * 0xd6e8feb86659fd93;
}

/** The first `length` bytes, and some behind them of texts that are 16 bytes longer. */
function isSameBytes(one: usize, other: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i += 16) {
    if (v128.any_true(v128.xor(v128.load(one + i), v128.load(other + i)))) return false;
  }
  return true;
}
