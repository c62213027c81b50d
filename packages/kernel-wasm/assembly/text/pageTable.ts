// The directory of a text column: one entry a page, in the order of rows. Rows never straddle
// pages.
//
//   | address u32 | compressedBytes u32 | textBytes u32 | firstRow u32 | offsets u32 | offsetsWidth u32 | templates u32 |
//
// Text i of a page is the bytes [offset i, offset i + 1) of its (decompressed) bytes. A width of 1
// is for LZ4 blocks only and says that instead of offsets there are lengths, of at most 255 bytes
// each; one of 0 is for pages made from templates, whose codes stand there (see textTemplates).

export const PAGE_BYTES: u32 = 28;


@inline
export function pageAddress(entry: usize): usize {
  return load<u32>(entry);
}

@inline
export function pageCompressedBytes(entry: usize): u32 {
  return load<u32>(entry, 4);
}

/** Of a compressed page only: the last page of an open segment grows. */
@inline
export function pageTextBytes(entry: usize): u32 {
  return load<u32>(entry, 8);
}

@inline
export function pageFirstRow(entry: usize): u32 {
  return load<u32>(entry, 12);
}

/** Where the next page begins; the last page contains all other rows. */
@inline
export function pageEndRow(entry: usize, page: u32, pageCount: u32, rowCount: u32): u32 {
  return page + 1 < pageCount ? load<u32>(entry + PAGE_BYTES, 12) : rowCount;
}

@inline
export function pageOffsets(entry: usize): usize {
  return load<u32>(entry, 16);
}

@inline
export function pageOffsetsWidth(entry: usize): u32 {
  return load<u32>(entry, 20);
}

/** Where the table of templates is that the page is made from; 0: from none. */
@inline
export function pageTemplates(entry: usize): usize {
  return load<u32>(entry, 24);
}

/**
 * Where the decompressed page's offsets go when it has none of its own: behind its texts and what
 * may be written beyond them.
 */
@inline
export function expandedOffsets(scratch: usize, textBytes: u32): usize {
  return scratch + ((textBytes + 31) & ~15);
}

/** See TextOperations.expandLengths. */
export function expandLengths(out: usize, lengths: usize, rows: u32): void {
  let offset: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    store<u16>(out + (row << 1), <u16>offset);
    offset += load<u8>(lengths + row);
  }
  store<u16>(out + (rows << 1), <u16>offset);
}

@inline
export function textOffset(offsets: usize, width: u32, index: u32): u32 {
  return width == 2 ? <u32>load<u16>(offsets + (index << 1)) : load<u32>(offsets + (index << 2));
}

@inline
export function pageIsSelected(bitmap: usize, page: u32): bool {
  return ((<u32>load<u8>(bitmap + (page >> 3)) >> (page & 7)) & 1) != 0;
}
