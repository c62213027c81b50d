// Substring search over pages of packed texts: look for two of the needle's bytes at their distance, 64
// start positions at a time; only where both are there, compare and find out which text it is.
import { selectRows } from "./bitset";
import { lz4Decompress } from "./lz4";
import {
  PAGE_BYTES, pageAddress, pageCompressedBytes, pageEndRow, pageFirstRow, pageIsSelected,
  pageOffsets, pageOffsetsWidth, pageTextBytes, textOffset,
} from "./pageTable";

const SAMPLE_BYTES: usize = 1024;
const SAMPLED_NEEDLE_BYTES_MAX: u32 = 32;

/** See TextOperations.searchPages. */
export function searchPages(
  out: usize, directory: usize, pageCount: u32, rowCount: u32, selected: usize,
  needle: usize, needleBytes: u32, fold: u32, scratch: usize,
): f64 {
  selectRows(out, rowCount, 0, 0);
  let read: f64 = 0;
  let first: u32 = 0;
  let second: u32 = u32.MAX_VALUE;
  for (let page: u32 = 0; page < pageCount; page++) {
    if (selected != 0 && !pageIsSelected(selected, page)) continue;
    const entry = directory + page * PAGE_BYTES;
    const firstRow = pageFirstRow(entry);
    const rows = pageEndRow(entry, page, pageCount, rowCount) - firstRow;
    const offsets = pageOffsets(entry);
    const width = pageOffsetsWidth(entry);
    const from = textOffset(offsets, width, 0);
    const to = textOffset(offsets, width, rows);
    if (to - from < needleBytes) continue;
    let bytes = pageAddress(entry);
    const compressedBytes = pageCompressedBytes(entry);
    if (compressedBytes != 0) {
      const textBytes = pageTextBytes(entry);
      if (lz4Decompress(scratch, textBytes, bytes, compressedBytes) != textBytes) return -1;
      bytes = scratch;
    }
    if (second == u32.MAX_VALUE) {
      const pair = probePair(bytes + from, bytes + to, needle, needleBytes, fold);
      first = <u32>pair;
      second = <u32>(pair >> 32);
    }
    if (fold != 0) {
      searchFolded(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, first, second);
    } else {
      searchExact(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, first, second);
    }
    read += <f64>(to - from);
  }
  return read;
}

// Two functions of one body: what only one of them needs takes no register from the other.
function searchExact(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32,
): void {
  searchPage(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt, false);
}

function searchFolded(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32,
): void {
  searchPage(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt, true);
}

@inline
function searchPage(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32, fold: bool,
): void {
  // Start positions lie before startEnd: from there on the needle does not fit.
  const startEnd = bytes + textOffset(offsets, width, rows) - needleBytes + 1;
  const first = i8x16.splat(load<u8>(needle + firstAt));
  const second = i8x16.splat(load<u8>(needle + secondAt));
  const firstCase = i8x16.splat(caseBit(load<u8>(needle + firstAt)));
  const secondCase = i8x16.splat(caseBit(load<u8>(needle + secondAt)));
  let row: u32 = 0;
  let at = bytes + textOffset(offsets, width, 0);
  while (at < startEnd) {
    let candidates: u64;
    let next = at + 64;
    if (next <= startEnd) {
      const a = probe(at + firstAt, at + secondAt, first, second, firstCase, secondCase, fold);
      const b = probe(at + firstAt + 16, at + secondAt + 16, first, second, firstCase, secondCase, fold);
      const c = probe(at + firstAt + 32, at + secondAt + 32, first, second, firstCase, secondCase, fold);
      const d = probe(at + firstAt + 48, at + secondAt + 48, first, second, firstCase, secondCase, fold);
      if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) {
        at = next;
        continue;
      }
      candidates = bits64(a, b, c, d);
    } else {
      // The last start positions, 16 at a time: reads stay within the slack behind the texts.
      next = at + 16;
      const lanes = probe(at + firstAt, at + secondAt, first, second, firstCase, secondCase, fold);
      candidates = <u64>(<u32>i8x16.bitmask(lanes));
      if (next > startEnd) candidates &= ((<u64>1) << <u64>(startEnd - at)) - 1;
    }
    while (candidates != 0) {
      const start = at + <usize>ctz(candidates);
      candidates &= candidates - 1;
      if (fold) {
        if (!equalFolded(start, needle, needleBytes)) continue;
      } else {
        if (!equalBytes(start, needle, needleBytes)) continue;
      }
      row = rowOfByte(offsets, width, row, rows, <u32>(start - bytes));
      const textEnd = bytes + textOffset(offsets, width, row + 1);
      if (start + needleBytes > textEnd) continue;
      setBit(out, firstRow + row);
      // One hit settles the row: go on behind its text.
      if (textEnd >= next) {
        next = textEnd;
        break;
      }
      candidates &= u64.MAX_VALUE << <u64>(textEnd - at);
    }
    at = next;
  }
}

@inline
function probe(
  firstAt: usize, secondAt: usize, first: v128, second: v128, firstCase: v128, secondCase: v128,
  fold: bool,
): v128 {
  // A byte or 0x20 is a small letter exactly when the byte is that letter, small or capital.
  if (fold) {
    return v128.and(
      i8x16.eq(v128.or(v128.load(firstAt), firstCase), first),
      i8x16.eq(v128.or(v128.load(secondAt), secondCase), second),
    );
  }
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

/** 0x20 where the byte is a small letter. */
@inline
function caseBit(byte: u8): u8 {
  return <u32>byte - 97 < 26 ? 0x20 : 0;
}

/** Positions of two needle bytes, first | second << 32: the rarest two of a sample of the texts. */
function probePair(begin: usize, end: usize, needle: usize, needleBytes: u32, fold: u32): u64 {
  const sampleBytes = min(end - begin, SAMPLE_BYTES);
  const sample = begin + ((end - begin - sampleBytes) >> 1);
  const considered = min(needleBytes, SAMPLED_NEEDLE_BYTES_MAX);
  let rarest: u32 = 0;
  let second: u32 = needleBytes - 1;
  let rarestCount: u32 = u32.MAX_VALUE;
  let secondCount: u32 = u32.MAX_VALUE;
  for (let i: u32 = 0; i < considered; i++) {
    const byte = load<u8>(needle + i);
    const count = countByte(sample, sampleBytes, byte, fold != 0 ? caseBit(byte) : 0);
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
  return <u64>rarest | (<u64>second << 32);
}

/** How often the byte is in the sample; what is beyond its last whole 16 bytes is left out. */
function countByte(sample: usize, sampleBytes: usize, byte: u8, caseBit: u8): u32 {
  const lanes = i8x16.splat(byte);
  const folding = i8x16.splat(caseBit);
  let count: u32 = 0;
  for (let i: usize = 0; i + 16 <= sampleBytes; i += 16) {
    count += popcnt(i8x16.bitmask(i8x16.eq(v128.or(v128.load(sample + i), folding), lanes)));
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

/** The needle is in small letters. */
function equalFolded(at: usize, needle: usize, count: u32): bool {
  for (let i: u32 = 0; i < count; i++) {
    const wanted = load<u8>(needle + i);
    if ((load<u8>(at + i) | caseBit(wanted)) != wanted) return false;
  }
  return true;
}

/**
 * The row whose text holds this byte, from a row at or before it on: steps that double, then halve, so
 * that neither hits in every row nor one hit in a million rows pays for the way.
 */
function rowOfByte(offsets: usize, width: u32, row: u32, rows: u32, byte: u32): u32 {
  let step: u32 = 1;
  let low = row;
  while (low + step < rows && textOffset(offsets, width, low + step) <= byte) {
    low += step;
    step <<= 1;
  }
  let high = min(low + step, rows);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (textOffset(offsets, width, middle) <= byte) low = middle;
    else high = middle;
  }
  return low;
}
