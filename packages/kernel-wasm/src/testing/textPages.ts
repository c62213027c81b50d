import { pageEntryBytes, type TextPages } from "../operations/text/text.js";
import type { TwinArena } from "./twinArena.js";

/** How texts are laid out as pages: the rows of each, behind some bytes that belong to no text. */
export interface PageLayout {
  readonly rowsPerPage: number;
  readonly leadBytes: number;
  /** 1: lengths, of at most 255 bytes; for compressed pages. */
  readonly width: 1 | 2 | 4;
  /** LZ4 block of a page's bytes; null: stored as they are. */
  readonly compress: ((bytes: Uint8Array) => Uint8Array) | null;
}

export const onePage: PageLayout = {
  rowsPerPage: Number.POSITIVE_INFINITY,
  leadBytes: 0,
  width: 4,
  compress: null,
};

/**
 * Puts texts into the arena as pages. Taken first, they end where its memory ends, but for their
 * slack.
 */
export function placePages(
  arena: TwinArena,
  texts: readonly Uint8Array[],
  { rowsPerPage, leadBytes, width, compress }: PageLayout,
): TextPages {
  const words: number[] = [];
  for (let firstRow = 0; firstRow === 0 || firstRow < texts.length; firstRow += rowsPerPage) {
    const rows = texts.slice(firstRow, firstRow + rowsPerPage);
    const bytes = Buffer.concat([new Uint8Array(leadBytes).fill(0x61), ...rows]);
    const stored = compress === null ? bytes : compress(bytes);
    // What follows a page is no one's: a hit there would be wrong.
    const room = arena.region(Math.ceil(stored.length / 8) * 8 + 16);
    const address = room + Math.ceil(stored.length / 8) * 8 - stored.length;
    arena.write(address, stored);
    const offsets = [leadBytes];
    for (const text of rows) offsets.push(offsets[offsets.length - 1]! + text.length);
    const sizes = width === 1 ? rows.map((text) => text.length) : offsets;
    const offsetsAt = arena.values(width, sizes.map(BigInt)).address;
    const compressedBytes = compress === null ? 0 : stored.length;
    words.push(address, compressedBytes, bytes.length, firstRow, offsetsAt, width, 0);
  }
  return { directory: arena.u32s(words), pageCount: (words.length * 4) / pageEntryBytes };
}
