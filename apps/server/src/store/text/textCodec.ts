import { compressSync } from "lz4-napi";
import type { SectionArray, SectionReader } from "../../base/bytes/sections.js";
import type { Steps } from "../../base/schedule/steps.js";
import {
  isTemplated,
  offsetsBytesOf,
  offsetsWidthOf,
  pageEntryBytes,
  storedBytesOf,
  writeTextPage,
} from "../../column/pageTable.js";
import type { TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { TableContext } from "../segment/tableContext.js";
import { foldSignature, lz4FillMax, templatedFillMax } from "./foldSignature.js";
import { type StoredPage, storedPage, templatedPage } from "./storedPage.js";
import { isCompressible, pagesOf } from "./storedPages.js";
import { templateText } from "./templateText.js";

/** The head of a text column in a segment's file. */
export interface TextHead {
  readonly kind: "text";
  readonly name: string;
  readonly missing: boolean;
  /** Null: without a signature. */
  readonly rowsLog2: number | null;
  /** Whether pages are made from templates, whose table is the last section. */
  readonly templated?: true;
}

/** Compressing has to save this share, or the page stays as it is. */
const savedShareMin = 0.1;
/** The library writes the length of the text before the block. */
const lengthBytes = 4;

/** The LZ4 block within the library's output; null when it saves too little. */
export function worthwhileBlock(compressed: Uint8Array, textBytes: number): Uint8Array | null {
  const block = compressed.subarray(lengthBytes);
  return block.length <= textBytes * (1 - savedShareMin) ? block : null;
}

/**
 * A text column as sections, a page a step: page table, texts (compressed where it saves), offsets,
 * signature, bitmap, templates.
 */
export function* encodeText(
  column: TextColumn,
  name: string,
  rowCount: number,
  { memory, kernel }: Pick<TableContext, "memory" | "kernel">,
): Steps<{ head: TextHead; sections: SectionArray[] }> {
  const pages = pagesOf(column, memory);
  const made = column.templates === null ? yield* templateText(column, memory, kernel) : null;
  const stored: StoredPage[] = [];
  for (const [index, page] of pages.entries()) {
    const templated = made?.pages.get(index);
    if (templated !== undefined) {
      stored.push(templatedPage(page, templated));
      continue;
    }
    const text = memory.bytes.subarray(page.address, page.address + page.textBytes);
    const block = isCompressible(page)
      ? worthwhileBlock(compressSync(Buffer.from(text)), page.textBytes)
      : null;
    stored.push(storedPage(page, pages[index + 1]?.firstRow ?? rowCount, block, memory));
    yield;
  }
  const table = made?.table ?? tableOf(column, memory);
  const words = stored.flatMap(({ page }) => [
    page.compressedBytes,
    page.textBytes,
    page.firstRow,
    page.offsetsWidth,
  ]);
  const sections: SectionArray[] = [
    Uint32Array.from(words),
    Buffer.concat(stored.map(({ bytes }) => bytes)),
    Buffer.concat(stored.map(({ offsets }) => offsets)),
  ];
  const fillMax = table === null ? lz4FillMax : templatedFillMax;
  const folded = column.signature && foldSignature(column.signature, pages.length, memory, fillMax);
  if (folded !== null) sections.push(folded.bytes);
  if (column.present !== 0) {
    const { present } = column;
    sections.push(memory.bytes.subarray(present, present + Math.ceil(rowCount / 64) * 8));
  }
  if (table !== null) sections.push(table);
  const missing = column.present !== 0;
  const head = { kind: "text", name, missing, rowsLog2: folded?.rowsLog2 ?? null } as const;
  return { head: table === null ? head : { ...head, templated: true }, sections };
}

/** The table of templates in the leaf's memory. */
function tableOf({ templates }: TextColumn, { bytes }: LeafMemory): Uint8Array | null {
  if (templates === null) return null;
  return bytes.subarray(templates.address, templates.address + templates.bytes);
}

/** The leaf's memory, and what copies bytes into it. */
interface TextPlace {
  readonly memory: LeafMemory;
  readonly place: (bytes: Uint8Array) => number;
}

/** Loads a text column from a segment's file into the leaf's memory. */
export function decodeText(
  head: TextHead,
  rowCount: number,
  reader: SectionReader<unknown>,
  { memory, place }: TextPlace,
): TextColumn {
  const words = reader.u32();
  let address = place(reader.bytes());
  let offsets = place(reader.bytes());
  const pageCount = words.length / 4;
  const directory = place(new Uint8Array(pageCount * pageEntryBytes));
  const { rowsLog2 } = head;
  const signature = rowsLog2 === null ? null : { address: place(reader.bytes()), rowsLog2 };
  const present = head.missing ? place(reader.bytes()) : 0;
  const table = head.templated === true ? reader.bytes() : null;
  const templates = table && { address: place(table), bytes: table.length };
  const view = new DataView(memory.memory.buffer);
  let textBytes = 0;
  for (let index = 0; index < pageCount; index++) {
    const at = index * 4;
    const stored = {
      address,
      compressedBytes: words[at]!,
      textBytes: words[at + 1]!,
      firstRow: words[at + 2]!,
      offsets,
      offsetsWidth: offsetsWidthOf(words[at + 3]),
      templates: 0,
    };
    const page = isTemplated(stored) ? { ...stored, templates: templates?.address ?? 0 } : stored;
    if (isTemplated(page) && page.templates === 0) throw new Error("a table of templates is gone");
    writeTextPage(view, directory, index, page);
    const endRow = index + 1 < pageCount ? words[at + 6]! : rowCount;
    address += storedBytesOf(page);
    offsets += offsetsBytesOf(page.offsetsWidth, endRow - page.firstRow);
    textBytes += page.textBytes;
  }
  return {
    ...{ kind: "text", directory, pageCount, rowCount, textBytes },
    ...{ templates, signature, present },
  };
}
