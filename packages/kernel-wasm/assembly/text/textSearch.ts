// Substring search within one page of packed texts: look for one or two of the needle's bytes where
// they would be, 64 start positions at a time; only where they are, compare and find out which text
// it is.
import { textOffset } from "./pageTable";

/** The needle, and the positions of the bytes that are looked for first. */
const SINGLE: i32 = 1;
const FOLDED: i32 = 2;
const SKIPPED_BYTES_MIN: usize = 512;

/**
 * Sets the bit of every row of the page whose text contains the needle. `secondAt` = `firstAt`:
 * that byte is rare enough to be looked for alone. Texts are the bytes [offset i, offset i + 1) at
 * `bytes`.
 */
export function searchPage(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, fold: u32, firstAt: u32, secondAt: u32,
): void {
  // Four functions of one body: what only one of them needs takes no register from the others.
  if (firstAt == secondAt) {
    if (fold != 0) searchSingleFolded(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt);
    else searchSingle(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt);
  } else if (fold != 0) {
    searchPairFolded(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt);
  } else {
    searchPair(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt);
  }
}

function searchPair(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32,
): void {
  search(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt, 0);
}

function searchPairFolded(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32,
): void {
  search(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, secondAt, FOLDED);
}

function searchSingle(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32,
): void {
  search(out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, firstAt, SINGLE);
}

function searchSingleFolded(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32,
): void {
  search(
    out, firstRow, bytes, offsets, width, rows, needle, needleBytes, firstAt, firstAt, SINGLE | FOLDED,
  );
}

@inline
function search(
  out: usize, firstRow: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
  needle: usize, needleBytes: u32, firstAt: u32, secondAt: u32, mode: i32,
): void {
  // Start positions are before startEnd: from there on the needle does not fit.
  const startEnd = bytes + textOffset(offsets, width, rows) - needleBytes + 1;
  const first = i8x16.splat(load<u8>(needle + firstAt));
  const second = i8x16.splat(load<u8>(needle + secondAt));
  const firstCase = i8x16.splat(caseBit(load<u8>(needle + firstAt)));
  const secondCase = i8x16.splat(caseBit(load<u8>(needle + secondAt)));
  let row: u32 = 0;
  let at = bytes + textOffset(offsets, width, 0);
  // Before this every row is settled: where hits are dense, most are in texts that had one.
  let settled = at;
  while (at < startEnd) {
    const atFirst = at + firstAt;
    const atSecond = at + secondAt;
    let candidates: u64;
    let next = at + 64;
    if (next <= startEnd) {
      let a = probe(v128.load(atFirst), first, firstCase, mode);
      let b = probe(v128.load(atFirst, 16), first, firstCase, mode);
      let c = probe(v128.load(atFirst, 32), first, firstCase, mode);
      let d = probe(v128.load(atFirst, 48), first, firstCase, mode);
      if ((mode & SINGLE) == 0) {
        a = v128.and(a, probe(v128.load(atSecond), second, secondCase, mode));
        b = v128.and(b, probe(v128.load(atSecond, 16), second, secondCase, mode));
        c = v128.and(c, probe(v128.load(atSecond, 32), second, secondCase, mode));
        d = v128.and(d, probe(v128.load(atSecond, 48), second, secondCase, mode));
      }
      if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) {
        at = next;
        continue;
      }
      candidates = bits64(a, b, c, d);
    } else {
      // The last start positions, 16 at a time: reads stay within the slack behind the texts.
      next = at + 16;
      const lanes = v128.and(
        probe(v128.load(atFirst), first, firstCase, mode),
        probe(v128.load(atSecond), second, secondCase, mode),
      );
      candidates = <u64>(<u32>i8x16.bitmask(lanes));
      if (next > startEnd) candidates &= ((<u64>1) << <u64>(startEnd - at)) - 1;
    }
    if (settled > at) candidates = behind(candidates, settled - at);
    while (candidates != 0) {
      const start = at + <usize>ctz(candidates);
      candidates &= candidates - 1;
      if ((mode & FOLDED) != 0) {
        if (!equalFolded(start, needle, needleBytes)) continue;
      } else {
        if (!equalBytes(start, needle, needleBytes)) continue;
      }
      row = rowOfByte(offsets, width, row, rows, <u32>(start - bytes));
      const textEnd = bytes + textOffset(offsets, width, row + 1);
      if (start + needleBytes > textEnd) continue;
      setBit(out, firstRow + row);
      // One hit settles the row. Skipping to the next text makes each step wait for the row's
      // number: that pays for long texts only.
      settled = textEnd;
      if (textEnd > next + SKIPPED_BYTES_MIN) {
        next = textEnd;
        break;
      }
      candidates = behind(candidates, textEnd - at);
    }
    at = next;
  }
}

/** Marks which of 16 bytes are the wanted one. */
@inline
function probe(bytes: v128, wanted: v128, wantedCase: v128, mode: i32): v128 {
  // A byte or 0x20 is a small letter exactly when the byte is that letter, small or capital.
  if ((mode & FOLDED) != 0) return i8x16.eq(v128.or(bytes, wantedCase), wanted);
  return i8x16.eq(bytes, wanted);
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

/** Without those at the first positions. */
@inline
function behind(candidates: u64, positions: usize): u64 {
  return positions < 64 ? (candidates >> <u64>positions) << <u64>positions : 0;
}

@inline
function setBit(bitmap: usize, row: u32): void {
  const at = bitmap + (row >> 3);
  store<u8>(at, <u8>(<u32>load<u8>(at) | (<u32>1 << (row & 7))));
}

/** 0x20 where the byte is a small letter. */
@inline
export function caseBit(byte: u8): u8 {
  return <u32>byte - 97 < 26 ? 0x20 : 0;
}

/** Whether the needle is here. Both may be read 16 bytes beyond their ends. */
export function equalBytes(at: usize, needle: usize, count: u32): bool {
  if (count <= 16) return ((~sameBytes(at, needle, false)) & ((<u32>1 << count) - 1)) == 0;
  const last = count - 16;
  for (let i: u32 = 0; i < last; i += 16) {
    if (sameBytes(at + i, needle + i, false) != 0xffff) return false;
  }
  return sameBytes(at + last, needle + last, false) == 0xffff;
}

/** The needle is in small letters. */
export function equalFolded(at: usize, needle: usize, count: u32): bool {
  if (count <= 16) return ((~sameBytes(at, needle, true)) & ((<u32>1 << count) - 1)) == 0;
  const last = count - 16;
  for (let i: u32 = 0; i < last; i += 16) {
    if (sameBytes(at + i, needle + i, true) != 0xffff) return false;
  }
  return sameBytes(at + last, needle + last, true) == 0xffff;
}

/** A bit for each of 16 bytes that is as the needle's. */
@inline
function sameBytes(at: usize, needle: usize, fold: bool): u32 {
  return sameBits(v128.load(at), v128.load(needle), fold);
}

@inline
export function sameBits(bytes: v128, wanted: v128, fold: bool): u32 {
  let found = bytes;
  if (fold) {
    const isSmall = v128.and(
      i8x16.ge_u(wanted, i8x16.splat(97)), i8x16.le_u(wanted, i8x16.splat(122)),
    );
    found = v128.or(found, v128.and(isSmall, i8x16.splat(0x20)));
  }
  return <u32>i8x16.bitmask(i8x16.eq(found, wanted));
}

/**
 * The row whose text contains this byte, from a row at or before it on. A walk, 16 rows at a step:
 * where hits are frequent the next one is near, and where they are rare the bytes between them cost
 * far more.
 */
function rowOfByte(offsets: usize, width: u32, row: u32, rows: u32, byte: u32): u32 {
  // What counts is the first end beyond the byte: the offset behind the last row is one.
  let end = row + 1;
  while (end + 16 <= rows + 1) {
    const within = width == 2 ? endsWithin16(offsets, end, byte) : endsWithin32(offsets, end, byte);
    const count = <u32>ctz(~within);
    end += count;
    if (count < 16) return end - 1;
  }
  while (textOffset(offsets, width, end) <= byte) end++;
  return end - 1;
}

/** A bit for each of the 16 offsets from `index` on that is at most `byte`. */
@inline
function endsWithin16(offsets: usize, index: u32, byte: u32): u32 {
  const at = offsets + (index << 1);
  const bound = i16x8.splat(<i16>min(byte, 0xffff));
  return <u32>i8x16.bitmask(
    i8x16.narrow_i16x8_s(
      i16x8.le_u(v128.load(at), bound), i16x8.le_u(v128.load(at, 16), bound),
    ),
  );
}

@inline
function endsWithin32(offsets: usize, index: u32, byte: u32): u32 {
  const at = offsets + (index << 2);
  const bound = i32x4.splat(byte);
  const low = i16x8.narrow_i32x4_s(
    i32x4.le_u(v128.load(at), bound), i32x4.le_u(v128.load(at, 16), bound),
  );
  const high = i16x8.narrow_i32x4_s(
    i32x4.le_u(v128.load(at, 32), bound), i32x4.le_u(v128.load(at, 48), bound),
  );
  return <u32>i8x16.bitmask(i8x16.narrow_i16x8_s(low, high));
}
