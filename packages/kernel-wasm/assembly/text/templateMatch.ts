// Substring search in pages made from templates without making their texts: what the texts of a
// template have in common mostly decides whether they hold the needle. Texts are read only where
// the needle could overlap a hole.
import { TEMPLATES_MAX } from "../abi";
import { countByte, SAMPLE_BYTES, SAMPLED_NEEDLE_BYTES_MAX } from "./textSample";
import { caseBit, sameBits } from "./textSearch";
import { ENTRY_BYTES, ESCAPE, HOLE, lanesWithin, TABLE_HEAD_BYTES } from "./textTemplates";

/** Whether none, all or maybe some of a template's texts contain the needle. */
const NONE: u32 = 0;
const ALL: u32 = 1;
const SOME: u32 = 2;

/** Of a page: its rows are decided, its texts must be read, it is damaged. */
export const DECIDED: i32 = 1;
export const UNDECIDED: i32 = 0;
export const DAMAGED: i32 = -1;

/**
 * matches[t] (u8) = which texts of template t hold the needle; false where holes could hold all of
 * it, so that hardly any template decides.
 */
export function matchTemplates(
  matches: usize, templates: usize, needle: usize, needleBytes: u32, fold: u32,
): bool {
  const count = load<u32>(templates);
  if (count == 0 || count > <u32>TEMPLATES_MAX) return false;
  const anchor = anchorOf(templates, count, needle, needleBytes, fold);
  if (anchor == needleBytes) return false;
  for (let id: u32 = 0; id < count; id++) {
    const entry = templates + TABLE_HEAD_BYTES + <usize>id * ENTRY_BYTES;
    const text = templates + load<u32>(entry);
    const length = <u32>load<u16>(entry, 4);
    store<u8>(matches + id, <u8>matchTemplate(text, length, needle, needleBytes, anchor, fold));
  }
  return true;
}

/**
 * Position of the byte to search first: the rarest of those that no hole contains; needleBytes when
 * there is none.
 */
function anchorOf(
  templates: usize, count: u32, needle: usize, needleBytes: u32, fold: u32,
): u32 {
  const begin = templates + load<u32>(templates, TABLE_HEAD_BYTES);
  const last = templates + TABLE_HEAD_BYTES + <usize>(count - 1) * ENTRY_BYTES;
  const end = templates + load<u32>(last) + load<u16>(last, 4);
  const sampleBytes = min(end - begin, SAMPLE_BYTES);
  let anchor = needleBytes;
  let rarest: u32 = u32.MAX_VALUE;
  const considered = min(needleBytes, SAMPLED_NEEDLE_BYTES_MAX);
  for (let i: u32 = 0; i < considered; i++) {
    const byte = load<u8>(needle + i);
    if (isHoleByte(byte)) continue;
    const occurrences = countByte(begin, sampleBytes, byte, fold != 0 ? caseBit(byte) : 0);
    if (occurrences >= rarest) continue;
    rarest = occurrences;
    anchor = i;
  }
  return anchor;
}

@inline
function isHoleByte(byte: u32): bool {
  return (u32(byte - 48 < 10) | u32(byte - 97 < 6)) != 0;
}

@inline
function matchTemplate(
  text: usize, length: u32, needle: usize, needleBytes: u32, anchor: u32, fold: u32,
): u32 {
  if (length < needleBytes) return NONE;
  const starts = length - needleBytes + 1;
  const byte = load<u8>(needle + anchor);
  const wanted = i8x16.splat(byte);
  const folding = i8x16.splat(fold != 0 ? caseBit(byte) : 0);
  let found = NONE;
  for (let i: u32 = 0; i < starts; i += 16) {
    const bytes = v128.or(v128.load(text + i + anchor), folding);
    let candidates = <u32>i8x16.bitmask(i8x16.eq(bytes, wanted));
    if (i + 16 > starts) candidates &= (<u32>1 << (starts - i)) - 1;
    while (candidates != 0) {
      const match = matchAt(text + i + ctz(candidates), needle, needleBytes, fold);
      if (match == ALL) return ALL;
      found |= match;
      candidates &= candidates - 1;
    }
  }
  return found;
}

/**
 * The text here may be the needle where each byte is that of the needle, or a hole that may contain
 * it.
 */
function matchAt(at: usize, needle: usize, needleBytes: u32, fold: u32): u32 {
  let match = ALL;
  for (let i: u32 = 0; i < needleBytes; i += 16) {
    const wanted = v128.load(needle + i);
    const bytes = v128.load(at + i);
    const compared = needleBytes - i < 16 ? (<u32>1 << (needleBytes - i)) - 1 : 0xffff;
    const others = ~sameBits(bytes, wanted, fold != 0) & compared;
    if (others == 0) continue;
    const isHole = i8x16.eq(bytes, i8x16.splat(HOLE));
    const fits = v128.or(lanesWithin(wanted, 48, 10), lanesWithin(wanted, 97, 6));
    if (others & ~<u32>i8x16.bitmask(v128.and(isHole, fits))) return NONE;
    match = SOME;
  }
  return match;
}

/**
 * Sets the bits of the rows, from firstRow on, whose template has only texts that contain the
 * needle. Returns UNDECIDED when a text must be read, and DAMAGED where fillTemplates would.
 */
export function selectTemplates(
  out: usize, firstRow: u32, rows: u32, matches: usize, templates: usize,
  codes: usize, packed: usize, packedBytes: u32, textBytes: u32,
): i32 {
  const count = load<u32>(templates);
  const packedEnd = packed + packedBytes;
  let from = packed;
  let filled: u64 = 0;
  let row: u32 = 0;
  while (row < rows) {
    const shift: u32 = (firstRow + row) & 63;
    const blockRows = min<u32>(64 - shift, rows - row);
    let bits: u64 = 0;
    let matched: u32 = 0;
    for (let i: u32 = 0; i < blockRows; i++) {
      let id = <u32>load<u8>(codes + row + i);
      if (id == ESCAPE) {
        if (from + 2 > packedEnd) return DAMAGED;
        id = load<u16>(from);
        from += 2;
      }
      if (id >= count) return DAMAGED;
      const sizes = load<u32>(templates + TABLE_HEAD_BYTES + <usize>id * ENTRY_BYTES, 4);
      filled += <u64>(sizes & 0xffff);
      from += sizes >> 16;
      const match = <u32>load<u8>(matches + id);
      matched |= match;
      bits |= <u64>(match & ALL) << <u64>i;
    }
    if (matched & SOME) return UNDECIDED;
    const word = out + (((firstRow + row) >> 6) << 3);
    store<u64>(word, load<u64>(word) | (bits << <u64>shift));
    row += blockRows;
  }
  return from <= packedEnd && filled == <u64>textBytes ? DECIDED : DAMAGED;
}
