// Which pages may hold a needle: every four bytes in a row of a page's texts, letters made small,
// are hashed to a number, and the byte of that number gets the page's bit. Eight pages share a
// plane of bytes, which stays in the nearest cache while they are read. A needle is where the bits
// of all its fours are set.
import { selectRows } from "../base/bitset";
import {
  PAGE_BYTES, pageAddress, pageEndRow, pageFirstRow, pageOffsets, pageOffsetsWidth, textOffset,
} from "./pageTable";

const GRAM_BYTES: u32 = 4;

/** See TextOperations.signPages. */
export function signPages(
  out: usize, rowsLog2: u32, directory: usize, pageCount: u32, rowCount: u32,
): void {
  memory.fill(out, 0, <usize>((pageCount + 7) >> 3) << rowsLog2);
  const mask = (<u32>1 << rowsLog2) - 1;
  for (let page: u32 = 0; page < pageCount; page++) {
    const entry = directory + page * PAGE_BYTES;
    const rows = pageEndRow(entry, page, pageCount, rowCount) - pageFirstRow(entry);
    const offsets = pageOffsets(entry);
    const width = pageOffsetsWidth(entry);
    const begin = pageAddress(entry) + textOffset(offsets, width, 0);
    const end = pageAddress(entry) + textOffset(offsets, width, rows);
    signPage(out + (<usize>(page >> 3) << rowsLog2), <u32>1 << (page & 7), mask, begin, end);
  }
}

function signPage(out: usize, bit: u32, mask: u32, begin: usize, end: usize): void {
  let at = begin;
  // Eight bytes contain five grams.
  for (; at + 8 <= end; at += 5) {
    const small = foldEight(load<u64>(at));
    sign(out, bit, mask, <u32>small);
    sign(out, bit, mask, <u32>(small >> 8));
    sign(out, bit, mask, <u32>(small >> 16));
    sign(out, bit, mask, <u32>(small >> 24));
    sign(out, bit, mask, <u32>(small >> 32));
  }
  for (; at + GRAM_BYTES <= end; at++) {
    sign(out, bit, mask, <u32>foldEight(load<u32>(at)));
  }
}

@inline
function sign(out: usize, bit: u32, mask: u32, gram: u32): void {
  const at = out + (gramHash(gram) & mask);
  store<u8>(at, <u8>(<u32>load<u8>(at) | bit));
}

/** See TextOperations.selectPages. */
export function selectPages(
  out: usize, signature: usize, rowsLog2: u32, pageCount: u32, needle: usize, needleBytes: u32,
): void {
  selectRows(out, pageCount, 0, pageCount);
  const planes = (pageCount + 7) >> 3;
  const mask = (<u32>1 << rowsLog2) - 1;
  for (let i: u32 = 0; i + GRAM_BYTES <= needleBytes; i++) {
    let at = signature + (gramHash(<u32>foldEight(load<u32>(needle + i))) & mask);
    for (let plane: u32 = 0; plane < planes; plane++) {
      store<u8>(out + plane, load<u8>(out + plane) & load<u8>(at));
      at += <usize>1 << rowsLog2;
    }
  }
}

/** Multiplicative: the high half of the product is mixed best. */
@inline
function gramHash(gram: u32): u32 {
  return (gram * 0x9e3779b1) >> 16;
}

/**
 * Capital letters of eight bytes made small; other bytes stay as they are, those above 0x7f too.
 */
@inline
function foldEight(bytes: u64): u64 {
  const low = bytes & 0x7f7f7f7f7f7f7f7f;
  const fromA = low + 0x3f3f3f3f3f3f3f3f;
  const beyondZ = low + 0x2525252525252525;
  const capital = (fromA ^ beyondZ) & ~bytes & 0x8080808080808080;
  return bytes | (capital >> 2);
}
