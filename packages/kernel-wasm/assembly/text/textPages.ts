// Substring search over the pages of a text column: looks at templates first where pages are made
// from them, decompresses what is compressed, and chooses from the first page that is read which
// bytes of the needle to look for.
import { TEMPLATES_MAX } from "../abi";
import { selectRows } from "../base/bitset";
import { lz4Decompress } from "./lz4";
import {
  expandedOffsets, expandLengths, PAGE_BYTES, pageAddress, pageCompressedBytes, pageEndRow, pageFirstRow,
  pageIsSelected, pageOffsets, pageOffsetsWidth, pageTemplates, pageTextBytes, textOffset,
} from "./pageTable";
import { DAMAGED, DECIDED, matchTemplates, selectTemplates } from "./templateMatch";
import { probePair } from "./textSample";
import { fillTemplates } from "./textTemplates";
import { searchPage } from "./textSearch";

/** Making and searching a text costs as much as searching this many templates. */
const TEMPLATES_PER_ROW: u32 = 2;

/** See TextOperations.searchPages. */
export function searchPages(
  out: usize, directory: usize, pageCount: u32, rowCount: u32, selected: usize,
  needle: usize, needleBytes: u32, fold: u32, scratch: usize,
): f64 {
  selectRows(out, rowCount, 0, 0);
  let read: f64 = 0;
  let first: u32 = 0;
  let second: u32 = u32.MAX_VALUE;
  // The results of templates come first in the scratch.
  const text = scratch + TEMPLATES_MAX;
  let table: usize = 0;
  let tells = false;
  for (let page: u32 = 0; page < pageCount; page++) {
    if (selected != 0 && !pageIsSelected(selected, page)) continue;
    const entry = directory + page * PAGE_BYTES;
    const firstRow = pageFirstRow(entry);
    const rows = pageEndRow(entry, page, pageCount, rowCount) - firstRow;
    let offsets = pageOffsets(entry);
    let width = pageOffsetsWidth(entry);
    let bytes = pageAddress(entry);
    const compressedBytes = pageCompressedBytes(entry);
    const textBytes = pageTextBytes(entry);
    const templates = pageTemplates(entry);
    if (width > 1 && textOffset(offsets, width, rows) - textOffset(offsets, width, 0) < needleBytes) continue;
    if (width <= 1 && textBytes < needleBytes) continue;
    if (templates != 0) {
      if (templates != table) {
        table = templates;
        const rowsToRead = rows * pagesFrom(page, pageCount, selected);
        tells = load<u32>(templates) <= rowsToRead * TEMPLATES_PER_ROW &&
          matchTemplates(scratch, templates, needle, needleBytes, fold);
      }
      if (tells) {
        const decided = selectTemplates(
          out, firstRow, rows, scratch, templates, offsets, bytes, compressedBytes, textBytes,
        );
        if (decided == DAMAGED) return -1;
        if (decided == DECIDED) {
          read += <f64>textBytes;
          continue;
        }
      }
      const expanded = expandedOffsets(text, textBytes);
      if (
        fillTemplates(text, textBytes, expanded, templates, offsets, bytes, compressedBytes, rows) != textBytes
      ) return -1;
      bytes = text;
      offsets = expanded;
      width = 2;
    } else if (compressedBytes != 0) {
      if (lz4Decompress(text, textBytes, bytes, compressedBytes) != textBytes) return -1;
      bytes = text;
      if (width == 1) {
        const expanded = expandedOffsets(text, textBytes);
        expandLengths(expanded, offsets, rows);
        offsets = expanded;
        width = 2;
      }
    }
    const from = textOffset(offsets, width, 0);
    const to = textOffset(offsets, width, rows);
    if (second == u32.MAX_VALUE) {
      const pair = probePair(bytes + from, bytes + to, needle, needleBytes, fold);
      first = <u32>pair;
      second = <u32>(pair >> 32);
    }
    searchPage(
      out, firstRow, bytes, offsets, width, rows, needle, needleBytes, fold, first, second,
    );
    read += <f64>(to - from);
  }
  return read;
}

/** Pages that are searched, this one and those behind it. */
function pagesFrom(page: u32, pageCount: u32, selected: usize): u32 {
  if (selected == 0) return pageCount - page;
  let count: u32 = 0;
  for (let i = page; i < pageCount; i++) count += u32(pageIsSelected(selected, i));
  return count;
}
