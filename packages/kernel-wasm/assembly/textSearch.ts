// Substring search over packed texts: look for two of the needle's bytes at their distance, 64 start
// positions at a time; only where both are there, compare and find out which text it is.
import { selectRows } from "./bitset";

/** Below this a look at the texts to choose the bytes costs more than it saves. */
const SAMPLED_BYTES_MIN: usize = 16384;
const SAMPLE_BYTES: usize = 1024;
const SAMPLED_NEEDLE_BYTES_MAX: u32 = 32;

export function selectContains(
  out: usize, bytes: usize, offsets: usize, rowCount: u32, needle: usize, needleBytes: u32,
): void {
  selectRows(out, rowCount, 0, 0);
  if (rowCount == 0) return;
  const begin = bytes + load<u32>(offsets);
  const end = bytes + load<u32>(offsets + (rowCount << 2));
  if (end - begin < needleBytes) return;
  // Start positions lie in [begin, startEnd): from there on the needle does not fit.
  const startEnd = end - needleBytes + 1;
  const pair = probePair(begin, end, needle, needleBytes);
  const firstAt = pair & 0xffff;
  const secondAt = pair >> 16;
  const first = i8x16.splat(load<u8>(needle + firstAt));
  const second = i8x16.splat(load<u8>(needle + secondAt));
  let row: u32 = 0;
  let at = begin;
  while (at + 64 <= startEnd) {
    const a = probe(at + firstAt, at + secondAt, first, second);
    const b = probe(at + firstAt + 16, at + secondAt + 16, first, second);
    const c = probe(at + firstAt + 32, at + secondAt + 32, first, second);
    const d = probe(at + firstAt + 48, at + secondAt + 48, first, second);
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) {
      at += 64;
      continue;
    }
    let candidates = bits64(a, b, c, d);
    let next = at + 64;
    while (candidates != 0) {
      const start = at + <usize>ctz(candidates);
      candidates &= candidates - 1;
      if (!equalBytes(start, needle, needleBytes)) continue;
      row = rowOfByte(offsets, row, rowCount, <u32>(start - bytes));
      const textEnd = bytes + load<u32>(offsets + (row << 2), 4);
      if (start + needleBytes > textEnd) continue;
      setBit(out, row);
      // One hit settles the row: go on behind its text.
      if (textEnd >= next) {
        next = textEnd;
        break;
      }
      candidates &= u64.MAX_VALUE << <u64>(textEnd - at);
    }
    at = next;
  }
  searchRest(out, bytes, offsets, rowCount, needle, needleBytes, row, at, startEnd);
}

/** The last start positions, one by one. */
function searchRest(
  out: usize, bytes: usize, offsets: usize, rowCount: u32,
  needle: usize, needleBytes: u32, row: u32, at: usize, startEnd: usize,
): void {
  while (at < startEnd) {
    if (!equalBytes(at, needle, needleBytes)) {
      at++;
      continue;
    }
    row = rowOfByte(offsets, row, rowCount, <u32>(at - bytes));
    const textEnd = bytes + load<u32>(offsets + (row << 2), 4);
    if (at + needleBytes > textEnd) {
      at++;
      continue;
    }
    setBit(out, row);
    at = textEnd;
  }
}

@inline
function probe(firstAt: usize, secondAt: usize, first: v128, second: v128): v128 {
  return v128.and(i8x16.eq(v128.load(firstAt), first), i8x16.eq(v128.load(secondAt), second));
}

@inline
function bits64(a: v128, b: v128, c: v128, d: v128): u64 {
  return (
    <u64>(<u32>i8x16.bitmask(a)) |
    (<u64>(<u32>i8x16.bitmask(b)) << 16) |
    (<u64>(<u32>i8x16.bitmask(c)) << 32) |
    (<u64>(<u32>i8x16.bitmask(d)) << 48)
  );
}

@inline
function setBit(bitmap: usize, row: u32): void {
  const at = bitmap + (row >> 3);
  store<u8>(at, <u8>(<u32>load<u8>(at) | (<u32>1 << (row & 7))));
}

/** Positions of two needle bytes, first | second << 16: the rarest two of a sample of the texts. */
function probePair(begin: usize, end: usize, needle: usize, needleBytes: u32): u32 {
  if (needleBytes > 0xffff || end - begin < SAMPLED_BYTES_MIN) {
    return min<u32>(needleBytes - 1, 0xffff) << 16;
  }
  const sample = begin + ((end - begin) >> 1);
  const considered = min(needleBytes, SAMPLED_NEEDLE_BYTES_MAX);
  let rarest: u32 = 0;
  let second: u32 = needleBytes - 1;
  let rarestCount: u32 = u32.MAX_VALUE;
  let secondCount: u32 = u32.MAX_VALUE;
  for (let i: u32 = 0; i < considered; i++) {
    const count = countByte(sample, load<u8>(needle + i));
    if (count < rarestCount) {
      second = rarestCount == u32.MAX_VALUE ? second : rarest;
      secondCount = rarestCount;
      rarest = i;
      rarestCount = count;
    } else if (count < secondCount) {
      second = i;
      secondCount = count;
    }
  }
  return rarest | (second << 16);
}

function countByte(sample: usize, byte: u8): u32 {
  const lanes = i8x16.splat(byte);
  let count: u32 = 0;
  for (let i: usize = 0; i < SAMPLE_BYTES; i += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(sample + i), lanes)));
  }
  return count;
}

function equalBytes(at: usize, needle: usize, count: u32): bool {
  let i: u32 = 0;
  for (; i + 8 <= count; i += 8) {
    if (load<u64>(at + i) != load<u64>(needle + i)) return false;
  }
  for (; i < count; i++) {
    if (load<u8>(at + i) != load<u8>(needle + i)) return false;
  }
  return true;
}

/**
 * The row whose text holds this byte, from a row at or before it on: steps that double, then halve, so
 * that neither hits in every row nor one hit in a million rows pays for the way.
 */
function rowOfByte(offsets: usize, row: u32, rowCount: u32, byte: u32): u32 {
  let step: u32 = 1;
  let low = row;
  while (low + step < rowCount && load<u32>(offsets + ((low + step) << 2)) <= byte) {
    low += step;
    step <<= 1;
  }
  let high = min(low + step, rowCount);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (load<u32>(offsets + (middle << 2)) <= byte) low = middle;
    else high = middle;
  }
  return low;
}
