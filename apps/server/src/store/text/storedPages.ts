import { isRaw, readTextPage, type TextPage } from "../../column/pageTable.js";
import type { TextColumn } from "../../column/segmentColumn.js";
import { compressedTextBytesMax } from "../../column/textReader.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/**
 * Whether compressing has not been tried on the page. Where it saved too little it is tried again;
 * that is rare and cheap.
 */
export const isCompressible = (page: TextPage): boolean =>
  isRaw(page) && page.textBytes > 0 && page.textBytes <= compressedTextBytesMax;

export function pagesOf(column: TextColumn, memory: LeafMemory): TextPage[] {
  const view = new DataView(memory.memory.buffer);
  return Array.from({ length: column.pageCount }, (_, index) =>
    readTextPage(view, column.directory, index),
  );
}
