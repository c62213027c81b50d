// Texts as a template and what varies in it. Log lines are made of few templates whose numbers
// change: a template is a text with holes (0xff, which UTF-8 never has) where digits were, those in
// hexadecimal runs too; a row is the number of its template and four bits for each hole. The
// layouts are drawn in src/operations/text/templates.ts.
import { textOffset } from "./pageTable";

export const HOLE: u8 = 0xff;
/** Shorter runs of 0-9 and a-f are more often words than numbers. */
const HEX_RUN_BYTES_MIN: u32 = 6;
const FOUND_BYTES: usize = 12;
export const ENTRY_BYTES: usize = 8;
export const TABLE_HEAD_BYTES: usize = 8;
/** The template's number does not fit a byte: it is written before the row's digits. */
export const ESCAPE: u32 = 255;
const KNUTH: u64 = 0x9e3779b97f4a7c15;

@inline
function padded(bytes: u32): u32 {
  return (bytes + 15) & ~15;
}

/** See TemplateOperations.findTemplates. */
export function findTemplates(
  ids: usize, slots: usize, slotCount: u32, found: usize, foundMax: u32, texts: usize, textsBytes: u32,
  foundCount: u32, bytes: usize, offsets: usize, width: u32, rows: u32,
): i32 {
  const textsEnd = texts + textsBytes;
  let used = texts;
  let count = foundCount;
  if (count != 0) {
    const last = found + <usize>(count - 1) * FOUND_BYTES;
    used = <usize>load<u32>(last) + 3 * padded(load<u32>(last, 4));
  }
  for (let row: u32 = 0; row < rows; row++) {
    const text = bytes + textOffset(offsets, width, row);
    const length = textOffset(offsets, width, row + 1) - textOffset(offsets, width, row);
    const room = padded(length);
    // The next template's place is where a text is turned into one: it stays there when it is new.
    if (used + 3 * room + 16 > textsEnd || !makeTemplate(used, text, length)) return -1;
    let slot = (hashOf(used, room) + length) & (slotCount - 1);
    let id = load<u32>(slots + (slot << 2));
    while (id != 0) {
      const entry = found + <usize>(id - 1) * FOUND_BYTES;
      if (load<u32>(entry, 4) == length && isSame(<usize>load<u32>(entry), used, room)) break;
      slot = (slot + 1) & (slotCount - 1);
      id = load<u32>(slots + (slot << 2));
    }
    if (id == 0) {
      if (count == foundMax) return -1;
      id = ++count;
      store<u32>(slots + (slot << 2), id);
      const entry = found + <usize>(id - 1) * FOUND_BYTES;
      store<u32>(entry, <u32>used);
      store<u32>(entry, length, 4);
      store<u32>(entry, 0, 8);
      copyPadded(used + room, text, length);
      memory.fill(used + 2 * room, 0, room);
      used += 3 * room;
    }
    const entry = found + <usize>(id - 1) * FOUND_BYTES;
    store<u32>(entry, load<u32>(entry, 8) + 1, 8);
    noteDifferences(<usize>load<u32>(entry), text, length);
    store<u16>(ids + (row << 1), <u16>(id - 1));
  }
  return count;
}

/**
 * Writes the text with holes, padded with zeros; false when the text contains the byte of a hole.
 */
function makeTemplate(out: usize, text: usize, length: u32): bool {
  let holes = i64x2.splat(0);
  let letters = holes;
  for (let i: u32 = 0; i < length; i += 16) {
    const bytes = sixteenOf(text, i, length);
    holes = v128.or(holes, i8x16.eq(bytes, i8x16.splat(HOLE)));
    letters = v128.or(letters, lanesWithin(bytes, 97, 6));
    v128.store(out + i, v128.or(bytes, lanesWithin(bytes, 48, 10)));
  }
  if (v128.any_true(letters)) markHexRuns(out, text, length);
  return !v128.any_true(holes);
}

/**
 * Hexadecimal runs have a digit and a letter side by side somewhere: only such runs are examined.
 */
function markHexRuns(out: usize, text: usize, length: u32): void {
  let digitBefore: u32 = 0;
  let letterBefore: u32 = 0;
  let done: u32 = 0;
  for (let i: u32 = 0; i < length; i += 16) {
    const bytes = sixteenOf(text, i, length);
    const digits = <u32>i8x16.bitmask(lanesWithin(bytes, 48, 10));
    const letters = <u32>i8x16.bitmask(lanesWithin(bytes, 97, 6));
    let mixed = digits & ((letters << 1) | letterBefore) | letters & ((digits << 1) | digitBefore);
    digitBefore = digits >> 15;
    letterBefore = letters >> 15;
    while (mixed != 0) {
      const at = i + <u32>ctz(mixed);
      mixed &= mixed - 1;
      if (at >= done) done = markRun(out, text, at, length);
    }
  }
}

/**
 * Makes holes of the run that this byte is in, if it is hexadecimal and long enough; returns where
 * the run ends.
 */
@inline
function markRun(out: usize, text: usize, at: u32, length: u32): u32 {
  let from = at;
  let others: u32 = 0;
  while (from > 0 && isAlphanumeric(load<u8>(text + from - 1))) from--;
  let end = from;
  while (end < length) {
    const byte = <u32>load<u8>(text + end);
    if (!isAlphanumeric(byte)) break;
    others |= u32(byte - 48 >= 10) & u32(byte - 97 >= 6);
    end++;
  }
  if (others == 0 && end - from >= HEX_RUN_BYTES_MIN) {
    for (let i = from; i < end; i++) store<u8>(out + i, HOLE);
  }
  return end;
}

/** Sixteen bytes of the text, zeros beyond its end. */
@inline
function sixteenOf(text: usize, i: u32, length: u32): v128 {
  const bytes = v128.load(text + i);
  return i + 16 <= length ? bytes : v128.and(bytes, firstLanes(length - i));
}

/** Ones in the first `count` lanes. */
@inline
function firstLanes(count: u32): v128 {
  const lanes = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return i8x16.lt_u(lanes, i8x16.splat(<i8>count));
}

/** Which bytes are one of the `count` bytes from `first` on. */
@inline
export function lanesWithin(bytes: v128, first: i8, count: i8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count));
}

@inline
function isAlphanumeric(byte: u32): bool {
  return (u32(byte - 48 < 10) | u32((byte | 32) - 97 < 26)) != 0;
}

@inline
function copyPadded(out: usize, text: usize, length: u32): void {
  for (let i: u32 = 0; i < length; i += 16) v128.store(out + i, sixteenOf(text, i, length));
}

@inline
function hashOf(text: usize, room: u32): u32 {
  let hash: u64 = 0;
  for (let i: u32 = 0; i < room; i += 8) hash = rotl<u64>((hash ^ load<u64>(text + i)) * KNUTH, 29);
  return <u32>(hash >> 32) ^ <u32>hash;
}

@inline
function isSame(a: usize, b: usize, room: u32): bool {
  for (let i: u32 = 0; i < room; i += 16) {
    if (!i8x16.all_true(i8x16.eq(v128.load(a + i), v128.load(b + i)))) return false;
  }
  return true;
}

/** Which bytes of the template's texts are not always the same: beyond the text none. */
@inline
function noteDifferences(template: usize, text: usize, length: u32): void {
  const room = padded(length);
  const first = template + room;
  const differences = first + room;
  for (let i: u32 = 0; i < length; i += 16) {
    const different = v128.xor(sixteenOf(text, i, length), v128.load(first + i));
    v128.store(differences + i, v128.or(v128.load(differences + i), different));
  }
}

/** See TemplateOperations.writeTemplates. */
export function writeTemplates(out: usize, found: usize, order: usize, count: u32): u32 {
  store<u32>(out, count);
  store<u32>(out, 0, 4);
  let used: u32 = <u32>TABLE_HEAD_BYTES + count * <u32>ENTRY_BYTES;
  used = padded(used);
  for (let rank: u32 = 0; rank < count; rank++) {
    const entry = found + <usize>load<u32>(order + (rank << 2)) * FOUND_BYTES;
    const template = <usize>load<u32>(entry);
    const length = load<u32>(entry, 4);
    const room = padded(length);
    let digits: u32 = 0;
    for (let i: u32 = 0; i < room; i += 16) {
      const text = v128.load(template + i);
      const varies = i8x16.ne(v128.load(template + 2 * room + i), i8x16.splat(0));
      // A digit that is the same in all rows is no hole.
      const holes = v128.and(i8x16.eq(text, i8x16.splat(HOLE)), varies);
      const folded = v128.bitselect(text, v128.load(template + room + i), holes);
      v128.store(out + used + i, folded);
      digits = digitsAfter(digits, popcnt(i8x16.bitmask(holes)));
    }
    const at = out + TABLE_HEAD_BYTES + <usize>rank * ENTRY_BYTES;
    store<u32>(at, used);
    store<u16>(at, <u16>length, 4);
    store<u16>(at, <u16>((digits + 1) >> 1), 6);
    used += room;
  }
  return used;
}

/** Sixteen digits are read from eight bytes: they begin with one. */
@inline
function digitsAfter(digits: u32, count: u32): u32 {
  return digits + (digits & (count >> 4)) + count;
}

/** See TemplateOperations.packTemplates. */
export function packTemplates(
  out: usize, codes: usize, ids: usize, templates: usize,
  bytes: usize, offsets: usize, width: u32, rows: u32,
): u32 {
  let to = out;
  for (let row: u32 = 0; row < rows; row++) {
    const id = <u32>load<u16>(ids + (row << 1));
    store<u8>(codes + row, <u8>min(id, ESCAPE));
    if (id >= ESCAPE) {
      store<u16>(to, <u16>id);
      to += 2;
    }
    const entry = templates + TABLE_HEAD_BYTES + <usize>id * ENTRY_BYTES;
    const template = templates + load<u32>(entry);
    const length = <u32>load<u16>(entry, 4);
    const packedBytes = <u32>load<u16>(entry, 6);
    packRow(to, packedBytes, template, bytes + textOffset(offsets, width, row), length);
    to += packedBytes;
  }
  return <u32>(to - out);
}

@inline
function packRow(out: usize, packedBytes: u32, template: usize, text: usize, length: u32): void {
  for (let i: u32 = 0; i < packedBytes; i += 16) v128.store(out + i, i64x2.splat(0));
  let digits: u32 = 0;
  for (let i: u32 = 0; i < length; i += 16) {
    let holes = <u32>i8x16.bitmask(i8x16.eq(v128.load(template + i), i8x16.splat(HOLE)));
    digits += digits & (<u32>popcnt(holes) >> 4);
    while (holes != 0) {
      const byte = <u32>load<u8>(text + i + ctz(holes));
      holes &= holes - 1;
      const digit = byte <= 57 ? byte - 48 : byte - 87;
      const at = out + (digits >> 1);
      store<u8>(at, <u8>(<u32>load<u8>(at) | (digit << ((digits & 1) << 2))));
      digits++;
    }
  }
}

/** See TemplateOperations.fillTemplates. */
export function fillTemplates(
  out: usize, outBytes: u32, outOffsets: usize, templates: usize,
  codes: usize, packed: usize, packedBytes: u32, rows: u32,
): i32 {
  const count = load<u32>(templates);
  const packedEnd = packed + packedBytes;
  const outEnd = out + outBytes;
  const symbols = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102);
  const zero = i64x2.splat(0);
  let from = packed;
  let to = out;
  for (let row: u32 = 0; row < rows; row++) {
    store<u16>(outOffsets + (row << 1), <u16>(to - out));
    let id = <u32>load<u8>(codes + row);
    if (id == ESCAPE) {
      id = load<u16>(from);
      from += 2;
    }
    if (id >= count) return -1;
    const entry = templates + TABLE_HEAD_BYTES + <usize>id * ENTRY_BYTES;
    const template = templates + load<u32>(entry);
    const length = <usize>load<u16>(entry, 4);
    const rowBytes = <usize>load<u16>(entry, 6);
    if (rowBytes > packedEnd - from || from > packedEnd || length > outEnd - to) return -1;
    let digits: u32 = 0;
    for (let i: usize = 0; i < length; i += 16) {
      const text = v128.load(template + i);
      const holes = i8x16.eq(text, i8x16.splat(HOLE));
      // Less the holes up to each byte, itself included: sums of neighbours, of pairs, fours,
      // eights.
      let sums = i8x16.add(holes, v128.shuffle<i8>(zero, holes, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30));
      sums = i8x16.add(sums, v128.shuffle<i8>(zero, sums, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
      sums = i8x16.add(sums, v128.shuffle<i8>(zero, sums, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
      sums = i8x16.add(sums, v128.shuffle<i8>(zero, sums, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23));
      const holeCount: u32 = 0 - i8x16.extract_lane_s(sums, 15);
      digits += digits & (holeCount >> 4);
      const pairs = v128.load64_zero(from + (digits >> 1));
      const low = v128.and(pairs, i8x16.splat(15));
      const high = v128.and(i16x8.shr_u(pairs, 4), i8x16.splat(15));
      const numbers = v128.shuffle<i8>(low, high, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const places = i8x16.sub(i8x16.splat(<i8>((digits & 1) - 1)), sums);
      const filled = i8x16.swizzle(i8x16.swizzle(symbols, numbers), places);
      v128.store(to + i, v128.bitselect(filled, text, holes));
      digits += holeCount;
    }
    from += rowBytes;
    to += length;
  }
  store<u16>(outOffsets + (rows << 1), <u16>(to - out));
  return <i32>(to - out);
}
